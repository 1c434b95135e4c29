// What became of the money of an order is what the overview counts and what its links list, whatever was tried last.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOwner, type Person } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { followed } from './followed.ts';

const OUTCOMES = ['captured', 'refunded', 'authorized', 'released', 'declined', 'open'] as const;
type Outcome = (typeof OUTCOMES)[number];

let w: World;
let owner: Person;
/** Orders by what became of them, each with the status that it ended with. */
const made: Record<Outcome, Map<string, string>> = {
  captured: new Map(),
  refunded: new Map(),
  authorized: new Map(),
  released: new Map(),
  declined: new Map(),
  open: new Map(),
};

/** What the bank does with the next operation of the kind. */
async function arm(operation: string, fault: string, more: object = {}): Promise<void> {
  const scenario = { id: w.service.tools.chance.id(), operation, fault, ...more };
  expect(await w.service.tools.sandbox?.({ method: 'POST', path: '/scenarios', body: scenario })).toMatchObject({
    status: 200,
  });
}

type Act = readonly [kind: 'capture' | 'refund' | 'cancel', amount?: string, bank?: readonly [string, object?]];

/** Pays 42.50 EUR and does this with it, one after the other. */
async function after(outcome: Outcome, status: string, [operation_type, ...acts]: readonly [string, ...Act[]]) {
  const order_id = textAt(await w.shop.pay({}, { amount: '42.50', currency: 'EUR', operation_type }), 'order_id');
  await w.shop.decided(order_id);
  for (const [kind, amount, bank] of acts) {
    // of this order: a call of the one before may not be sent yet
    if (bank) await arm(kind, bank[0], { ...bank[1], match: { order_id } });
    await w.shop.api(`/payment/maintenance/${kind}/${order_id}`, {
      method: 'POST',
      body: amount === undefined ? {} : { amount },
      headers: { prefer: bank?.[0] === 'decline' || !bank ? 'wait=10' : 'wait=0' },
    });
  }
  await until(async () => ((await w.shop.read(order_id)).at('status') === status ? true : undefined));
  made[outcome].set(order_id, status);
}

const NO_CAPTURE = ['decline', { code: '521288' }] as const;
const NO_REFUND = ['decline', { code: '621288' }] as const;
const LATER = ['pending', { seconds: 3600 }] as const;

beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
  const sale = 'direct_capture';
  await after('captured', 'capture_successful', [sale]);
  await after('captured', 'capture_declined', ['authorize', ['capture', '10'], ['capture', '5', NO_CAPTURE]]);
  await after('captured', 'capture_requested', ['authorize', ['capture', '10'], ['capture', '5', LATER]]);
  await after('captured', 'capture_successful', ['authorize', ['capture', '10'], ['cancel']]);
  await after('captured', 'refund_declined', [sale, ['refund', '4', NO_REFUND]]);
  await after('captured', 'refund_requested', [sale, ['refund', '4', LATER]]);
  await after('refunded', 'refund_successful', [sale, ['refund', '4']]);
  await after('refunded', 'refund_declined', [sale, ['refund', '4'], ['refund', '4', NO_REFUND]]);
  await after('refunded', 'refund_requested', [sale, ['refund', '4'], ['refund', '4', LATER]]);
  await after('refunded', 'refund_requested', [sale, ['refund', '4'], ['refund', '4', ['timeout_not_taken']]]);
  await after('authorized', 'authorization_successful', ['authorize']);
  await after('authorized', 'capture_declined', ['authorize', ['capture', '5', NO_CAPTURE]]);
  await after('authorized', 'capture_requested', ['authorize', ['capture', '5', LATER]]);
  await after('released', 'authorization_cancelled', ['authorize', ['cancel']]);
  await followed(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const counts = () => Object.fromEntries(OUTCOMES.map((outcome) => [outcome, made[outcome].size]));

test('an order is counted by what became of its money', async () => {
  const today = await owner.get('/api/overview?days=1&currency=EUR');
  expect(today.at('now.outcomes')).toEqual(counts());
  expect(today.at('refunded.now.orders')).toBe(made.refunded.size);
});

/** The list that a click on an outcome opens. */
async function listed(outcome: Outcome): Promise<Map<string, string>> {
  const today = await owner.get('/api/overview?days=1&currency=EUR');
  const [from, to] = [today.say('series.0.begins'), today.say('series.23.ends')];
  const list = await owner.get(
    `/api/orders?outcome=${outcome}&currency=EUR&created_from=${from}&created_to=${to}&limit=200`,
  );
  const orders = list.at('orders') as { id: string; status: string }[];
  return new Map(orders.map(({ id, status }) => [id, status]));
}

test('what an outcome counts is what its link lists', async () => {
  for (const outcome of OUTCOMES) expect([outcome, await listed(outcome)]).toEqual([outcome, made[outcome]]);
});

test('an order is listed by what became of its money before the worker has followed it', async () => {
  await w.sql('BEGIN');
  await until(async () => {
    const rows = await w.sql('SELECT FROM payment.order_search_state FOR UPDATE SKIP LOCKED');
    return rows.length === 1 ? true : undefined;
  });
  try {
    await after('refunded', 'refund_declined', ['direct_capture', ['refund', '4'], ['refund', '4', NO_REFUND]]);
    for (const outcome of OUTCOMES) expect([outcome, await listed(outcome)]).toEqual([outcome, made[outcome]]);
  } finally {
    await w.sql('ROLLBACK');
  }
  await followed(w);
});

const FOUND = `payment.order_search s JOIN payment.order_classes k ON k.merchant_account_id = s.merchant_account_id AND k.id = s.class_id`;

/** Orders by outcome: as the sums count them, by hours and by days, and as lists find them. */
async function counted() {
  const sums = OUTCOMES.map((outcome) => `sum(${outcome})::int AS ${outcome}`).join();
  const found = OUTCOMES.map((outcome) => `count(*) FILTER (WHERE k.outcome = '${outcome}')::int AS ${outcome}`).join();
  const [hours, days] = await w.sql(
    `SELECT ${sums} FROM payment.order_sums WHERE facet = 'all' GROUP BY hours ORDER BY hours`,
  );
  const [lists] = await w.sql(`SELECT ${found} FROM ${FOUND}`);
  const [classes] = await w.sql(
    `SELECT ${OUTCOMES.map((outcome) => `coalesce(sum(orders) FILTER (WHERE outcome = '${outcome}'), 0)::int AS ${outcome}`).join()} FROM payment.order_classes`,
  );
  expect([days, lists, classes]).toEqual([hours, hours, hours]);
  return hours;
}

test('orders of the version before stay counted by their status until they are followed anew, each once', async () => {
  const sums = () => w.sql('SELECT * FROM payment.order_sums ORDER BY 1, 2, 3, 4, 5, 6');
  const before = await sums();
  await w.sql('BEGIN');
  try {
    await w.sql('SELECT FROM payment.order_search_state FOR UPDATE');
    // as that version left them: by their status, and without what an account says is suspicious
    await w.sql(
      `SELECT payment.put_search_facts(array_agg(jsonb_populate_record(f, jsonb_build_object('outcome', payment.outcome_of(f.status), 'is_suspicious', true))))
       FROM (SELECT array_agg(merchant_account_id::bytea) AS accounts, array_agg(id::bytea) AS ids FROM payment.orders) o, payment.search_facts(o.accounts, o.ids) f`,
    );
    await w.sql(`DELETE FROM payment.order_classes WHERE orders = 0`);
    await w.sql(`ALTER TABLE payment.order_classes DROP COLUMN outcome,
      ADD CONSTRAINT order_classes_combination_once UNIQUE (merchant_account_id, status, code, currency, provider, payment_method_name, operation_type, is_suspicious, digits)`);
    await w.sql('ALTER TYPE payment.search_fact DROP ATTRIBUTE outcome');
    await w.sql(
      readFileSync('src/payment/schema/migrations/0057-outcomes-of-orders.sql', 'utf8').replace(/^\\ir .*$/m, ''),
    );
    expect(await counted()).toEqual({ captured: 8, refunded: 1, authorized: 5, released: 1, declined: 0, open: 0 });
    let rounds = 0;
    for (let more = true; more; rounds += 1) {
      const [row] = await w.sql<{ more: boolean }>('SELECT payment.count_earlier(2) AS more');
      more = row?.more ?? false;
      const total = Object.values((await counted()) ?? {}).reduce((sum, orders) => sum + Number(orders), 0);
      expect(total).toBe(OUTCOMES.reduce((sum, outcome) => sum + made[outcome].size, 0));
    }
    expect(rounds).toBeGreaterThan(7);
    expect(await counted()).toEqual(counts());
    expect(await w.sql(`SELECT FROM ${FOUND} WHERE k.is_suspicious`)).toEqual([]);
    expect(await sums()).toEqual(before);
  } finally {
    await w.sql('ROLLBACK');
  }
});
