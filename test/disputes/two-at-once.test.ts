// One capture may have several disputes at a time (each with a reference of its provider): each takes its own money,
// and the end of one is not the end of another, in whatever order they are told.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { DisputeDetail } from '../../src/backoffice/wire/disputes.ts';
import type { OrderDetail } from '../../src/backoffice/wire/orders.ts';
import { recordDispute } from '../../src/payment/dispute/record.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import type { Dispute } from '../../src/provider/notices.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

let first: Promise<Person> | undefined;
const owner = () => (first ??= firstOwner(w));

const told = (given: Partial<Dispute>): Dispute => ({
  kind: 'dispute',
  state: 'opened',
  amount_minor: 1000n,
  currency: 'EUR',
  reason: 'Fraud',
  reason_code: '10.4',
  at: '2026-03-01T10:00:00.000Z',
  ...given,
});
const A_OPENS = told({ reference: 'dp_a' });
const A_IS_WON = told({ reference: 'dp_a', state: 'won', at: '2026-03-02T10:00:00.000Z' });
const B_OPENS = told({ reference: 'dp_b', reason: 'Not received', at: '2026-03-03T10:00:00.000Z' });

async function tell(order_id: string, dispute: Dispute): Promise<boolean> {
  const { tools } = w.service;
  const order = await findOrder(tools.db.tenant(w.account), order_id);
  const operation = order?.operations.find(({ kind }) => kind === 'capture');
  if (!order || !operation) throw new Error('no captured order');
  return recordDispute(tools, order, { operation, provider: 'simulator', dispute });
}

async function captured(): Promise<string> {
  const fields = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR' };
  const order_id = textAt(await w.shop.pay({}, { ...fields, order_merchant_id: `two-${++count}` }), 'order_id');
  await w.shop.decided(order_id);
  return order_id;
}
let count = 0;

/** State and amount of each dispute, and what the books say is away. */
async function standing(order_id: string) {
  const disputes = await w.sql<{ reference: string; state: string; amount: string }>(
    `SELECT reference, state, amount_minor::text AS amount FROM payment.disputes
     WHERE order_id = decode($1, 'hex') ORDER BY reference, round`,
    [order_id],
  );
  const [row] = await w.sql<{ away: string }>(
    `SELECT coalesce(sum(CASE 'chargebacks' WHEN debit THEN amount_minor WHEN credit THEN -amount_minor END), 0)::text AS away
     FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  return {
    disputes: disputes.map(({ reference, state, amount }) => `${reference} ${state} ${amount}`),
    away: row?.away,
  };
}

const orders = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length < 2
    ? [items]
    : items.flatMap((one, i) => orders(items.filter((_, at) => at !== i)).map((rest) => [one, ...rest]));

const ORDERS = orders(['A opens', 'B opens', 'A is won'] as const);

test.each(ORDERS.flatMap((order) => [1500n, 1000n].map((amount) => [order.join(', '), amount, order] as const)))(
  'the money of each dispute is right, told in this order, each twice: %s; B is about %s',
  async (_, amount_minor, said) => {
    const words = { 'A opens': A_OPENS, 'B opens': { ...B_OPENS, amount_minor }, 'A is won': A_IS_WON };
    const order_id = await captured();
    for (const one of said.flatMap((word) => [word, word])) expect(await tell(order_id, words[one])).toBe(true);
    for (const one of said) expect(await tell(order_id, words[one])).toBe(true);
    expect(await standing(order_id)).toEqual({
      disputes: ['dp_a won 1000', `dp_b opened ${amount_minor}`],
      away: String(amount_minor),
    });
  },
);

test('a word that names no dispute is about the one that is open; while two are, a person looks', async () => {
  const order_id = await captured();
  const is_won = told({ state: 'won', at: '2026-03-05T10:00:00.000Z' });
  expect(await tell(order_id, A_OPENS)).toBe(true);
  expect(await tell(order_id, B_OPENS)).toBe(true);
  expect(await tell(order_id, is_won)).toBe(false);
  expect(await tell(order_id, { ...B_OPENS, state: 'lost', at: '2026-03-04T10:00:00.000Z' })).toBe(true);
  expect(await tell(order_id, is_won)).toBe(true);
  expect(await standing(order_id)).toEqual({ disputes: ['dp_a won 1000', 'dp_b lost 1000'], away: '1000' });
});

test("the payment's own reference is no name of a dispute", async () => {
  const order_id = await captured();
  const [payment] = await w.sql<{ provider_ref: string }>(
    `SELECT provider_ref FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'authorize'`,
    [order_id],
  );
  expect(await tell(order_id, A_OPENS)).toBe(true);
  expect(await tell(order_id, { ...A_IS_WON, reference: payment?.provider_ref ?? '' })).toBe(true);
  expect(await standing(order_id)).toEqual({ disputes: ['dp_a won 1000'], away: '0' });
});

test('the order page shows of each turn the money of its own dispute', async () => {
  const order_id = await captured();
  for (const one of [A_OPENS, { ...B_OPENS, amount_minor: 1500n }, A_IS_WON]) await tell(order_id, one);
  const shown = await (await owner()).get(`/api/orders/${order_id}`);
  const { timeline }: { timeline: { title: string; amount_minor: number }[] } = JSON.parse(shown.text);
  const turns = timeline.filter(({ title }) => title.startsWith('dispute.'));
  expect(turns.map(({ title, amount_minor }) => [title, amount_minor])).toEqual([
    ['dispute.opened', 1000],
    ['dispute.opened', 1500],
    ['dispute.won', 1000],
  ]);
});

test('the read of an order tells how much of it is away, and why the last of that went', async () => {
  const order_id = await captured();
  const seen = async () => {
    const [one] = (await w.shop.read(order_id)).at('transactions') as readonly Record<string, unknown>[];
    return [one?.['is_chargebacked'], one?.['chargeback_amount'], one?.['chargeback_reason']];
  };
  expect(await seen()).toEqual([false, null, null]);
  await tell(order_id, A_OPENS);
  expect(await seen()).toEqual([true, 10, 'Fraud']);
  await tell(order_id, { ...B_OPENS, amount_minor: 1500n });
  expect(await seen()).toEqual([true, 25, 'Not received']);
  await tell(order_id, { ...B_OPENS, amount_minor: 1500n, state: 'won', at: '2026-03-04T10:00:00.000Z' });
  expect(await seen()).toEqual([true, 10, 'Fraud']);
  await tell(order_id, A_IS_WON);
  // all of it came back: what was told last stays
  expect(await seen()).toEqual([false, 15, 'Not received']);
});

/** What the back office says went back beyond what was captured: on the order, and on each open dispute. */
async function backTwice(order_id: string): Promise<readonly number[]> {
  const read = async <T>(path: string): Promise<T> => JSON.parse((await (await owner()).get(path)).text);
  const { money, disputes } = await read<OrderDetail>(`/api/orders/${order_id}`);
  const open = disputes.filter(({ state }) => state === 'opened');
  const pages = await Promise.all(open.map(({ id }) => read<DisputeDetail>(`/api/disputes/${id}`)));
  return [money, ...pages].map(({ back_twice_minor }) => back_twice_minor);
}

/** So often an alarm was logged about this order. */
function watchAlarms(order_id: string): () => number {
  let alarms = 0;
  const { log } = w.service.tools;
  const { error } = log;
  Object.assign(log, {
    error: (fields: Parameters<typeof error>[0], text: string) => {
      if (fields['order_id'] === order_id && text.startsWith('more went back')) alarms++;
      error.call(log, fields, text);
    },
  });
  onTestFinished(() => void Object.assign(log, { error }));
  return () => alarms;
}

test('two disputes that took more than was captured are an alarm, and their pages say by how much', async () => {
  const order_id = await captured();
  const alarms = watchAlarms(order_id);
  await tell(order_id, { ...A_OPENS, amount_minor: 2500n });
  expect(await backTwice(order_id)).toEqual([0, 0]);
  expect(alarms()).toBe(0);
  for (let n = 0; n < 2; n++) await tell(order_id, { ...B_OPENS, amount_minor: 1500n });
  expect(await backTwice(order_id)).toEqual([1500, 1500, 1500]);
  expect(alarms()).toBe(1);
  await tell(order_id, { ...A_IS_WON, amount_minor: 2500n });
  expect(await backTwice(order_id)).toEqual([0, 0]);
});

test('so is a dispute about what was refunded', async () => {
  const order_id = await captured();
  const alarms = watchAlarms(order_id);
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '20.00' } });
  await w.shop.decided(order_id);
  await tell(order_id, A_OPENS);
  expect(await backTwice(order_id)).toEqual([500, 500]);
  expect(alarms()).toBe(1);
});

test('the books agree with all of it', async () => {
  const verdict = await verifyLedger({ db: w.service.tools.db, progress: () => undefined });
  expect(verdict.first).toBeUndefined();
});
