// The text of `florin routing caps`: the declines of one card with what is left of its limits, or the tries that were
// held back for an account, and the fees that this avoided at least.
import { type CapsTable, feesOn, limitsOn } from '../../core/retries/caps.ts';
import { type Day, dayOf } from '../../core/retries/day.ts';
import { toDecimal } from '../../core/money.ts';
import { heldText } from '../../payment/declines/held.ts';
import type { DeclineRow, HeldRow } from '../../payment/declines/store.ts';
import { tableOf } from '../ledger/table.ts';

const COLUMNS = ['at', 'acceptor', 'who', 'amount', 'scheme', 'said', 'state'].map((title) => ({ title }));

export function ledgerText(rows: readonly DeclineRow[], caps: CapsTable, now: Date): string {
  if (rows.length === 0) return 'Nothing is counted of this card: none of its tries was declined within 31 days.';
  const lines = rows.map((row) => [
    row.at,
    row.acceptor,
    row.initiator === 'p' ? 'payer' : 'merchant',
    `${toDecimal(row.amount_minor, row.currency)} ${row.currency}`,
    row.scheme,
    [row.advice ?? '', row.category === null ? '' : `category ${row.category}`].filter(Boolean).join(', '),
    stateOf(row),
  ]);
  return [tableOf(COLUMNS, lines), ...leftOf(rows, caps, now)].join('\n\n');
}

function stateOf({ open, stopped, not_before }: DeclineRow): string {
  if (stopped) return 'stopped until the card changes or its payer pays with it';
  if (open) return 'undecided, and counted';
  return not_before === null ? 'declined' : `declined; not before ${not_before}`;
}

/**
 * What is left of each limit, by acceptor. A limit per amount counts the amount with the most declines; a limit for
 * tries without the payer counts only those.
 */
function leftOf(rows: readonly DeclineRow[], caps: CapsTable, now: Date): string[] {
  const acceptors = [...new Set(rows.map(({ acceptor }) => acceptor))];
  return acceptors.map((acceptor) => {
    const own = rows.filter((row) => row.acceptor === acceptor);
    const scheme = own.at(-1)?.scheme ?? '';
    const lines = limitsOn(caps.rows, dayOf(now), scheme).map(({ rule, window_s, most, by_amount, by_initiator }) => {
      const within = own.filter(({ at }) => Date.parse(at) > now.getTime() - window_s * 1000);
      const asked = by_initiator ? within.filter(({ initiator }) => initiator === 'm') : within;
      const counts = by_amount ? Math.max(0, ...countsByAmount(asked)) : asked.length;
      const of = by_amount ? ' of one amount' : by_initiator ? ' without the payer' : '';
      return `  ${rule}: ${counts} of ${most} in ${window_s / 3600} h${of}, ${Math.max(0, most - counts)} left`;
    });
    return [`At ${acceptor} (${scheme}):`, ...lines].join('\n');
  });
}

function countsByAmount(rows: readonly DeclineRow[]): readonly number[] {
  const counts = new Map<string, number>();
  for (const { amount_minor, currency } of rows) {
    const amount = `${amount_minor} ${currency}`;
    counts.set(amount, (counts.get(amount) ?? 0) + 1);
  }
  return [...counts.values()];
}

export function heldBackText(rows: readonly HeldRow[], caps: CapsTable, region: string | undefined): string {
  if (rows.length === 0) return 'Nothing was held back.';
  const lines = rows.map(({ at, order_id, payment_method_name, held }) => [
    at,
    order_id,
    payment_method_name,
    held.who,
    heldText(held),
  ]);
  const columns = ['at', 'order', 'scheme', 'who', 'why'].map((title) => ({ title }));
  return [tableOf(columns, lines), feesText(rows, caps, region)].join('\n\n');
}

/**
 * Fees are never summed across currencies. Without a region, or without a known fee, only the number of tries is given.
 */
function feesText(rows: readonly HeldRow[], caps: CapsTable, region: string | undefined): string {
  const count = `${rows.length} tries were held back.`;
  if (region === undefined)
    return `${count} What that saved depends on where your acquirer is: --region US, Canada, Europe or EU.`;
  const sums = new Map<string, bigint>();
  let unknown = 0;
  for (const { at, payment_method_name: scheme, held } of rows) {
    const fee = feesOn(caps.rows, dayOf(new Date(at)) satisfies Day, { scheme, rule: ruleOf(held, scheme), region });
    if (fee) sums.set(fee.currency, (sums.get(fee.currency) ?? 0n) + fee.minor);
    else unknown += 1;
  }
  const saved = [...sums].map(([currency, minor]) => `${toDecimal(minor, currency)} ${currency}`);
  const rest = unknown > 0 ? ` For ${unknown} of them no fee of that region is known.` : '';
  return saved.length > 0
    ? `${count} Fees of schemes avoided: at least ${saved.join(' and ')}.${rest}`
    : `${count}${rest}`;
}

function ruleOf(held: HeldRow['held'], scheme: string): string {
  if (held.why === 'limit') return held.rule;
  return scheme === 'visa' ? 'never_approve' : 'advice_stop';
}
