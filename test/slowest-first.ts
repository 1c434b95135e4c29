// Files that take longest begin first: begun last, one of them alone would keep everybody waiting. Then a project after
// the other: vitest keeps a worker, with all it has loaded, only where the next file in line is of the same project.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SLOW = [
  'hosts/going-live',
  'patterns',
  'journeys/door-limits',
  'browser/docs-site',
  'backoffice-app/desk',
  'declines/processes',
  'declines/histories',
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
  'maintenance/races',
  'journeys/fuzz',
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
    const [slow, others] = [
      usual.filter((file) => rank(file) < SLOW.length),
      usual.filter((file) => rank(file) === SLOW.length),
    ];
    const projects = Map.groupBy(others, ({ project }) => project.name);
    // short files last: the one with most of them is what the others wait for least
    const by_count = [...projects.values()].toSorted((one, other) => one.length - other.length);
    return [...slow.toSorted((one, other) => rank(one) - rank(other)), ...by_count.flat()];
  }
}
