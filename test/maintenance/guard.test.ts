// What the rules say of an order (order-rules/allowed.ts) against the guard of the statement that accepts the
// operation, over orders that can exist. FLORIN_GUARDED says how many; `npm run test:full` takes 100,000.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mayCancel, mayCapture, mayRefund } from '../../src/payment/order-rules/allowed.ts';
import { OPERATION_GUARD } from '../../src/payment/order/engine/guard.ts';
import type { OrderFacts } from '../../src/payment/order/facts/order-facts.ts';
import { standingOf } from '../../src/payment/order/facts/standing.ts';
import { SEED, drawnOrders } from '../payment/decide/drawn.ts';
import { seeded } from '../seeded.ts';
import { sizeOf } from '../sizes.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const ORDERS = sizeOf('FLORIN_GUARDED', { usual: 5_000, full: 100_000 });
const KINDS = ['capture', 'refund', 'cancel'] as const;

const draw = seeded(SEED);

type Asked = { readonly order: OrderFacts; readonly kind: (typeof KINDS)[number]; readonly amount: bigint };

function asked(order: OrderFacts, i: number): Asked {
  const kind = KINDS[i % 3] ?? 'capture';
  const { most_minor } = rule(order, kind);
  const by_chance = 1n + BigInt(Math.floor(draw() * 11));
  // a cancel of any other amount than the whole is refused, so most ask for the whole; of the others some do, too
  const asks_all = most_minor > 0n && (kind === 'cancel') === (i % 4 !== 0);
  return { order, kind, amount: asks_all ? most_minor : by_chance };
}

function rule(order: OrderFacts, kind: Asked['kind']) {
  const standing = standingOf(order);
  if (kind === 'cancel') return mayCancel(standing);
  return kind === 'capture' ? mayCapture(standing, undefined) : mayRefund(standing);
}

function isAllowed({ order, kind, amount }: Asked): boolean {
  const { closed, used_up, most_minor } = rule(order, kind);
  if (closed !== undefined || used_up !== undefined) return false;
  return kind === 'cancel' ? amount === most_minor : amount <= most_minor;
}

const rowOf = ({ order, kind, amount }: Asked) => ({
  kind,
  asked: Number(amount),
  winner_id: order.winner_id,
  live: order.live,
  cancel_pending: order.cancel_pending,
  amount_minor: Number(order.amount_minor),
  authorized_minor: Number(order.authorized_minor),
  released_minor: Number(order.released_minor),
  capturing_minor: Number(order.capturing_minor),
  captured_minor: Number(order.captured_minor),
  refunding_minor: Number(order.refunding_minor),
  refunded_minor: Number(order.refunded_minor),
});

test(`the guard of the statement takes exactly the amounts that the rules allow, of ${ORDERS} orders by the seed ${SEED}`, async () => {
  const all = drawnOrders(ORDERS).map(asked);
  const guard = OPERATION_GUARD.replaceAll(':amount_minor', 'asked')
    .replaceAll(':kind', 'kind')
    .replaceAll(':origin', "'merchant'");
  const rows = await w.sql<{ taken: boolean }>(
    `SELECT coalesce(${guard}, false) AS taken
     FROM json_to_recordset($1::json) AS orders (
       kind text, asked bigint, winner_id text, live boolean, cancel_pending boolean, amount_minor bigint, authorized_minor bigint,
       released_minor bigint, capturing_minor bigint, captured_minor bigint, refunding_minor bigint, refunded_minor bigint)`,
    [JSON.stringify(all.map(rowOf))],
  );
  const differ = all.filter((one, i) => isAllowed(one) !== rows[i]?.taken);
  expect(differ.slice(0, 3).map(rowOf)).toEqual([]);
  expect(rows).toHaveLength(ORDERS);
  // neither side says no to everything, of no kind
  const taken = (kind: string) => all.filter((one, i) => one.kind === kind && rows[i]?.taken).length;
  expect(KINDS.map((kind) => taken(kind) > ORDERS / 50)).toEqual([true, true, true]);
});
