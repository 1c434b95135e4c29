// Files that take longest begin first: begun last, one of them alone would keep everybody waiting.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOW = [
  'with/iso8583',
  'browser/hosted-page',
  'browser/pages',
  'notifications/order',
  'doubt/cards',
  'payment/histories',
  'backoffice-app/stories',
  'canary/memory',
  'connections/ends',
  'start/stop',
  'connections/no-room',
  'start/crash',
  'journeys/hard-limits',
  'start/start',
  'vault/rotation',
  'ledger/odd-ends',
  'browser/typing',
  'browser/shop',
  'backoffice-app/notifications',
  'hosts/outage',
  'backoffice-app/fields',
  'browser/old-element',
  'sandbox/faults',
  'start/migrate',
  'browser/robust',
  'sandbox/commands',
  'journeys/fields',
  'browser/elements',
  'backoffice-app/people',
  'sandbox/clock-pending',
  'start/secret-key',
  'start/hardening',
  'start/settings',
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
