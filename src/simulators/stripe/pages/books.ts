// The books as a page for people.
import type { Reply } from '../../line.ts';
import { catchUp } from '../../agenda.ts';
import type { World } from '../world.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import { moneyOf, page } from './layout.ts';

const MOST_ROWS = 200;

export function booksPage(world: World): Reply {
  catchUp(world);
  const { intents, refunds, disputes, events } = world.books;
  const payments = newest(intents).map(({ id, status, amount, currency, charge, metadata, created }) => [
    timeOf(created),
    id,
    status,
    moneyOf(amount, currency),
    moneyOf(charge?.amount_captured ?? 0, currency),
    moneyOf(charge?.captured === true ? charge.amount_refunded : 0, currency),
    metadata['order_id'] ?? '',
  ]);
  const given_back = newest(refunds).map(({ id, status, amount, charge, created }) => [
    timeOf(created),
    id,
    status,
    moneyOf(amount, charge.intent.currency),
    charge.intent.id,
  ]);
  const disputed = newest(disputes).map(({ id, status, reason, charge, created }) => [
    timeOf(created),
    id,
    status,
    reason,
    charge.intent.id,
  ]);
  const told = newest(events).map(({ id, type, told: taken, created }) => [
    timeOf(created),
    id,
    type,
    taken ? 'taken' : 'not taken',
  ]);
  return page(
    'Simulated Stripe',
    `<main>
<h1>Simulated Stripe</h1>
<p class="soft">It is ${timeOf(world.now_s())}. No money moves here; the newest come first.</p>
${table('Payments', ['time', 'payment intent', 'status', 'amount', 'captured', 'refunded', 'order'], payments)}
${table('Refunds', ['time', 'refund', 'status', 'amount', 'payment intent'], given_back)}
${table('Disputes', ['time', 'dispute', 'status', 'reason', 'payment intent'], disputed)}
${table('Messages', ['time', 'event', 'type', 'told'], told)}
</main>`,
  );
}

const newest = <T>(shelf: ReadonlyMap<string, T>): T[] => [...shelf.values()].slice(-MOST_ROWS).toReversed();

const timeOf = (at_s: number): string => new Date(at_s * 1000).toISOString().replace('T', ' ').slice(0, 19);

function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: 'td' | 'th') =>
    `<tr>${row.map((cell) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const body =
    rows.length === 0
      ? '<p class="soft">None yet.</p>'
      : `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(title)}"><table><thead>${cells(heads, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('\n')}</tbody></table></div>`;
  return `<h2>${escapeHtml(title)}</h2>\n${body}`;
}
