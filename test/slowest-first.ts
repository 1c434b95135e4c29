// Files that take longest begin first: begun last, one of them alone would keep everybody waiting.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOW = [
  'browser/hosted-page',
  'with/iso8583',
  'conformance/no-answer',
  'canary/memory',
  'doubt/cards',
  'connections/ends',
  'hosts/outage',
  'ledger/review',
  'conformance/payer',
  'browser/typing',
  'browser/pages',
  'notifications/order',
  'payment/histories',
  'backoffice-app/stories',
  'start/stop',
  'connections/no-room',
  'start/crash',
  'journeys/hard-limits',
  'start/start',
  'vault/rotation',
  'ledger/odd-ends',
  'browser/shop',
  'backoffice-app/notifications',
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
