// After many orders: everything is ended, and compared with everything. Each line that comes back is something that
// must never be.
import { verifyLedger } from '../../../src/payment/ledger/verify/verify.ts';
import { until } from '../../client.ts';
import type { World } from '../../world.ts';
import type { At, Payment } from '../at/contract.ts';
import type { Wish } from './merchant.ts';

const OPEN = `state NOT IN ('successful', 'declined', 'not_sent')`;

/**
 * Works on until nothing is open; answers what still is when the time is over. Every look lets so much time go by that
 * nothing is on its way any more.
 */
export async function endAll(w: World, limit_s: number): Promise<string[]> {
  const { tools } = w.service;
  // so much older, no call is on its way any more, and what was not found never arrived
  const over_s = 1 + Math.max(...[...tools.providers.values()].map(({ can }) => can.in_flight_s));
  let looks = 0;
  const ended = await until(async () => {
    const [row] = await w.sql<{ n: number; messages: number }>(
      `SELECT (SELECT count(*)::int FROM payment.operations WHERE ${OPEN}) AS n,
         (SELECT count(*)::int FROM payment.provider_events WHERE state = 'received') AS messages`,
    );
    await tools.running.drain();
    if (row?.n === 0 && row.messages === 0) return true;
    const older_s = looks++ < 3 ? 0 : over_s;
    await w.sql(
      `UPDATE vault.forwards SET sent_at = sent_at - make_interval(secs => $1)
       WHERE order_id IN (SELECT order_id FROM payment.operations WHERE ${OPEN} AND due_at > payment.now())`,
      [older_s],
    );
    await w.sql(
      `UPDATE payment.operations
       SET due_at = payment.now(), created_at = created_at - make_interval(secs => $1), sent_at = sent_at - make_interval(secs => $1)
       WHERE ${OPEN} AND due_at > payment.now()`,
      [older_s],
    );
    tools.wake_up.wake();
    // as long as a call that is not answered takes
    await tools.clock.timer(1200).done;
    return undefined;
  }, limit_s).catch(() => false);
  if (ended) return [];
  const left = await w.sql(
    `SELECT encode(order_id, 'hex') AS order_id, kind, state, step, waits_for, tries,
       (SELECT array_agg(DISTINCT concat_ws(' ', source, outcome, provider_code, http_status))
        FROM payment.observations b WHERE b.operation_id = o.id) AS seen
     FROM payment.operations o WHERE ${OPEN} LIMIT 10`,
  );
  return [...left.map((one) => `left open: ${JSON.stringify(one)}`), 'not ended'];
}

type Ours = {
  readonly id: string;
  readonly order_merchant_id: string;
  readonly winner: string | null;
  readonly provider: string | null;
  readonly currency: string;
  readonly held: string;
  readonly captured: string;
  readonly refunded: string;
};

export type Sums = Record<'orders' | 'held' | 'captured' | 'refunded' | 'left', bigint>;

export type Compared = {
  readonly wrong: readonly string[];
  readonly ours: ReadonlyMap<string, Sums>;
  readonly theirs: ReadonlyMap<string, Sums>;
};

export async function compare(w: World, providers: readonly At[], wishes: readonly Wish[]): Promise<Compared> {
  const wrong: string[] = [];
  const orders = await w.sql<Ours>(
    `SELECT encode(o.id, 'hex') AS id, o.order_merchant_id, encode(o.winner_id, 'hex') AS winner, o.currency, t.provider,
       (o.authorized_minor - o.released_minor - o.captured_minor)::text AS held, o.captured_minor::text AS captured,
       o.refunded_minor::text AS refunded
     FROM payment.orders o LEFT JOIN payment.transactions t ON t.id = o.winner_id AND t.order_id = o.id`,
  );
  const of_operation = new Map(
    (
      await w.sql<{ id: string; order_id: string }>(
        `SELECT encode(id, 'hex') AS id, encode(order_id, 'hex') AS order_id FROM payment.operations`,
      )
    ).map(({ id, order_id }) => [id, order_id]),
  );
  const [ours, theirs] = [new Map<string, Sums>(), new Map<string, Sums>()];
  for (const one of orders) if (one.provider !== null) add(ours, one.provider, one, 0n);
  const there = new Map<string, (Payment & { readonly left: bigint })[]>();
  for (const at of providers) {
    const stays = w.service.tools.providers.get(at.name)?.can.rest_after_last_capture === 'stays';
    for (const payment of await at.drive(w).books(null)) {
      const order_id = of_operation.get(payment.ours);
      if (order_id === undefined) wrong.push(`${at.name} has a payment that is not ours: ${payment.ours}`);
      const own = orders.find(({ winner }) => winner === payment.ours);
      // what a last capture left is no hold of ours any more, and there until it lapses
      const left = stays && payment.captured > 0n && own?.held === '0' ? payment.held : 0n;
      add(theirs, at.name, { ...payment, held: payment.held - left }, left);
      const known = there.get(order_id ?? '') ?? [];
      there.set(order_id ?? '', [...known, { ...payment, held: payment.held - left, left }]);
    }
  }
  for (const order of orders) wrong.push(...differencesOf(order, there.get(order.id) ?? []));
  const by_name = new Map(orders.map((order) => [order.order_merchant_id, order]));
  for (const wish of wishes) wrong.push(...againstWish(wish, by_name.get(wish.order_merchant_id), there));
  for (const [provider, sums] of ours)
    if (netOf(sums) !== netOf(theirs.get(provider))) wrong.push(`${provider}: differs in all`);
  wrong.push(...(await ledger(w)), ...(await contradictions(w)));
  return { wrong, ours, theirs };
}

/** What was taken there for nothing, and given back, is no money of anybody's. */
const netOf = (sums: Sums | undefined) => sums && `held ${sums.held}, kept ${sums.captured - sums.refunded}`;

type Amounts = {
  readonly held: bigint | string;
  readonly captured: bigint | string;
  readonly refunded: bigint | string;
};

function add(into: Map<string, Sums>, provider: string, { held, captured, refunded }: Amounts, left: bigint): void {
  const sums = into.get(provider) ?? { orders: 0n, held: 0n, captured: 0n, refunded: 0n, left: 0n };
  into.set(provider, {
    orders: sums.orders + 1n,
    held: sums.held + BigInt(held),
    captured: sums.captured + BigInt(captured),
    refunded: sums.refunded + BigInt(refunded),
    left: sums.left + left,
  });
}

function differencesOf(order: Ours, payments: readonly Payment[]): readonly string[] {
  const { id, winner, currency, held, captured, refunded } = order;
  const wrong: string[] = [];
  if (winner !== null && payments.every(({ ours }) => ours !== winner))
    wrong.push(`order ${id}: they know nothing of it`);
  const standing = payments.filter(({ ours, held: open, captured: taken }) => ours === winner && open + taken > 0n);
  if (standing.length > 1) wrong.push(`order ${id}: stands there ${standing.length} times`);
  for (const one of payments) {
    const there = `${one.currency} held ${one.held}, captured ${one.captured}, refunded ${one.refunded}`;
    const here = `${currency} held ${held}, captured ${captured}, refunded ${refunded}`;
    if (one.ours === winner && here !== there) wrong.push(`order ${id}: here ${here}; there ${there}`);
    if (one.ours !== winner && (one.held !== 0n || one.captured !== one.refunded))
      wrong.push(`order ${id}: stands there alone: ${there}`);
  }
  return wrong;
}

/** By the merchant's own book: nothing is done more often than it was asked for, and what was said to be done is. */
function againstWish(
  wish: Wish,
  order: Ours | undefined,
  there: ReadonlyMap<string, readonly Payment[]>,
): readonly string[] {
  const { order_merchant_id: name, captured, refunded, said_captured, said_refunded } = wish;
  if (!order) return wish.order_id === null ? [] : [`${name}: was acknowledged, and is nowhere`];
  const winner = (there.get(order.id) ?? []).find(({ ours }) => ours === order.winner);
  const wrong: string[] = [];
  if ((winner?.captured ?? 0n) > captured) wrong.push(`${name}: captured ${winner?.captured} of ${captured} asked`);
  if ((winner?.refunded ?? 0n) > refunded) wrong.push(`${name}: refunded ${winner?.refunded} of ${refunded} asked`);
  if ((winner?.captured ?? 0n) < said_captured) wrong.push(`${name}: ${said_captured} was said to be captured`);
  if ((winner?.refunded ?? 0n) < said_refunded) wrong.push(`${name}: ${said_refunded} was said to be refunded`);
  return wrong;
}

async function ledger(w: World): Promise<readonly string[]> {
  const { first, balances } = await verifyLedger({ db: w.service.tools.db, progress: () => undefined });
  const wrong = first ? [`the ledger: ${JSON.stringify(first)}`] : [];
  for (const [currency, accounts] of balances) {
    const sum = [...accounts.values()].reduce((all, amount) => all + amount, 0n);
    if (sum !== 0n) wrong.push(`the ledger sums to ${sum} ${currency}`);
  }
  return wrong;
}

async function contradictions(w: World): Promise<readonly string[]> {
  const open = await w.sql<{ order_id: string }>(
    `SELECT DISTINCT encode(order_id, 'hex') AS order_id FROM payment.contradictions`,
  );
  return open.map(({ order_id }) => `order ${order_id}: contradicted`);
}
