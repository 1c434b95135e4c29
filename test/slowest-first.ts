// Files that take longest begin first: begun last, one of them alone would keep everybody waiting.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOW = [
  'notifications/order',
  'connections/no-room',
  'connections/ends',
  'contract/requests',
  'ledger/odd-ends',
  'payment/histories',
  'sandbox/clock-pending',
  'backoffice-app/stories',
  'browser/hosted-page',
  'browser/pages',
  'doubt/cards',
  'journeys/hard-limits',
  'start/start',
  'start/crash',
  'hosts/outage',
  'vault/rotation',
  'start/hardening',
  'browser/shop',
  'sandbox/faults',
  'vault/import-export',
  'canary/memory',
  'start/stop',
  'browser/elements',
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = SLOW.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return found < 0 ? SLOW.length : found;
    };
    const usual = await BaseSequencer.prototype.sort.call(this, files);
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}
