// Who is right after a race: sums of what was answered, the order as it is read, our tables, and the bank's books.
import { toDecimal } from '../../src/core/money.ts';
import type { Reply } from '../client.ts';
import type { Booked, Kind, Till } from './till.ts';

/** One request of a race; `minor` is undefined where no amount is given. */
export type Shot = { readonly kind: Kind; readonly minor: bigint | undefined; readonly final: boolean };

export type Race = {
  readonly currency: string;
  readonly authorized: bigint;
  /** Captured one by one before the race. */
  readonly before: readonly bigint[];
  readonly shots: readonly Shot[];
};

export type Told = { readonly shot: Shot; readonly reply: Reply };

const DONE: Readonly<Record<Kind, string>> = { capture: '955555', refund: '966666', cancel: '977777' };

/** Wrong answers, as sentences: too much done, or refused although it would have fitted whatever the others did. */
export function judge({ currency, authorized, before }: Race, told: readonly Told[]): readonly string[] {
  const minorOf = (reply: Reply, path: string) => BigInt(Math.round(Number(reply.at(path)) * 10 ** digitsOf(currency)));
  const sum = (kind: 'capture' | 'refund') =>
    done(kind).reduce((total, { reply }) => total + minorOf(reply, `${kind}_amount_requested`), 0n);
  const done = (kind: Kind) => told.filter(({ shot, reply }) => shot.kind === kind && reply.code === DONE[kind]);
  const had = before.reduce((total, minor) => total + minor, 0n);
  const captured = had + sum('capture');
  const wrong: string[] = [];
  if (captured > authorized) wrong.push(`captured ${captured} of ${authorized}`);
  if (sum('refund') > captured) wrong.push(`refunded ${sum('refund')} of ${captured}`);
  if (done('cancel').length > 1) wrong.push('cancelled twice');
  if (done('cancel').length === 1 && captured > 0n) wrong.push('cancelled and captured');
  const released = done('cancel').length > 0 || done('capture').some(({ shot }) => shot.final);
  const least = { capture: released ? 0n : authorized - captured, refund: had - sum('refund') };
  for (const { shot, reply } of told) {
    const words = `${shot.kind} of ${shot.minor ?? 'all'} is answered ${reply.status} ${codeOf(reply)}`;
    if (!KNOWN[shot.kind].has(codeOf(reply))) wrong.push(words);
    if (reply.status === 200 || shot.minor === undefined || shot.kind === 'cancel') continue;
    // the smallest it can have been at any moment is what was left in the end
    const fitted =
      ABOVE.has(codeOf(reply)) &&
      shot.minor <= (before.length === 1 || shot.kind === 'capture' ? least[shot.kind] : -1n);
    if (fitted) wrong.push(`${words}, though ${least[shot.kind]} was left`);
  }
  return wrong;
}

const ABOVE: ReadonlySet<string> = new Set(['511030', '511031', '611030', '611031']);
const KNOWN: Readonly<Record<Kind, ReadonlySet<string>>> = {
  capture: new Set(['955555', '511030', '511031', '511032', '520220']),
  refund: new Set(['966666', '611030', '611031', '611032', '620210', '111011']),
  cancel: new Set(['977777', '711031', '711032', '711033']),
};

/** result.code as text. */
export const codeOf = ({ code }: Reply): string => (typeof code === 'string' ? code : '');

function digitsOf(currency: string): number {
  return toDecimal(1n, currency).length - (currency === 'JPY' ? 1 : 2);
}

type OperationRow = { readonly id: string; readonly kind: string; readonly state: string; readonly amount: number };

/** Where our tables and the bank's books differ about an order. */
export async function differences(till: Till, order_id: string): Promise<readonly string[]> {
  // what the end of another operation brought with it was never asked of the bank
  const ours = await till.w.sql<OperationRow>(
    `SELECT encode(id, 'hex') AS id, kind, state, amount_minor::int AS amount FROM payment.operations
     WHERE order_id = decode($1, 'hex') AND (kind <> 'cancel' OR target_id IS NULL)`,
    [order_id],
  );
  const theirs = await till.books(order_id);
  const line = (kind: string, id: string, amount: number) => `${kind} ${id} ${amount}`;
  const done = ours.filter(({ state }) => state === 'successful').map(({ kind, id, amount }) => line(kind, id, amount));
  const effects = theirs.flatMap(effectsOf).map(({ kind, reference, amount }) => line(kind, reference, amount));
  const open = ours.filter(({ state }) => state !== 'successful' && state !== 'declined');
  return [
    ...done.filter((one) => !effects.includes(one)).map((one) => `${one} is not in the bank's books`),
    ...effects.filter((one) => !done.includes(one)).map((one) => `${one} is not in ours`),
    ...effects.filter((one, i) => effects.indexOf(one) !== i).map((one) => `${one} has more than one effect`),
    ...open.map(({ kind, state }) => `a ${kind} is still ${state}`),
  ];
}

/** An entry as often as it took effect. */
function effectsOf(entry: Booked): readonly Booked[] {
  return Array.from({ length: entry.effects }, () => entry);
}

/** The orders whose counters, operations and ledger do not agree. */
export async function disagreements(till: Till): Promise<readonly string[]> {
  const rows = await till.w.sql<{ id: string }>(
    `SELECT encode(o.id, 'hex') AS id FROM payment.orders o
     CROSS JOIN LATERAL (SELECT coalesce(sum(m) FILTER (WHERE kind = 'authorize' AND done), 0) AS authorized, coalesce(sum(m) FILTER (WHERE kind = 'cancel' AND done AND won), 0) AS released,
         coalesce(sum(m) FILTER (WHERE kind = 'capture' AND done), 0) AS captured, coalesce(sum(m) FILTER (WHERE kind = 'capture' AND open), 0) AS capturing,
         coalesce(sum(m) FILTER (WHERE kind = 'refund' AND done), 0) AS refunded, coalesce(sum(m) FILTER (WHERE kind = 'refund' AND open), 0) AS refunding
       FROM (SELECT kind, amount_minor AS m, state = 'successful' AS done, state IN ('requested','in_doubt','review') AS open, transaction_id = o.winner_id AS won
             FROM payment.operations p WHERE p.order_id = o.id) p) s
     CROSS JOIN LATERAL (SELECT coalesce(sum(CASE 'authorized_hold' WHEN debit THEN amount_minor WHEN credit THEN -amount_minor END), 0) AS hold,
         coalesce(sum(CASE 'merchant_payable' WHEN credit THEN amount_minor WHEN debit THEN -amount_minor END), 0) AS captured,
         coalesce(sum(CASE 'refunds' WHEN debit THEN amount_minor WHEN credit THEN -amount_minor END), 0) AS refunded
       FROM payment.ledger_entries e WHERE e.order_id = o.id) l
     WHERE (o.authorized_minor, o.released_minor, o.captured_minor, o.capturing_minor, o.refunded_minor, o.refunding_minor, o.authorized_minor - o.released_minor - o.captured_minor, o.captured_minor, o.refunded_minor)
        <> (s.authorized, s.released, s.captured, s.capturing, s.refunded, s.refunding, l.hold, l.captured, l.refunded)`,
  );
  return rows.map(({ id }) => id);
}
