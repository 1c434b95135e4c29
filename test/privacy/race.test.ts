// An order begins while its person is erased. Whoever takes the row first, the other finds what it left: an order has
// all that it was given until it has ended, or it is not begun, and nothing of the person stays behind.
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { CHECKOUT, type Reply, textAt, until } from '../client.ts';
import { lockWaits } from '../lock-waits.ts';
import { type World, world } from '../world.ts';

const PENDING = '4000009901000110';
const LEASE_S = 130;

let w: World;
let ada: Person;
/** A connection of our own: what holds a row while two others come for it. */
let holder: pg.Client;
beforeAll(async () => {
  w = await world();
  ada = await firstOwner(w);
  const { socket_dir, user } = inject('server');
  holder = new pg.Client({ host: socket_dir, user, database: w.database });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await w[Symbol.asyncDispose]();
});

type Someone = { readonly customer_id: string; readonly customer_last_name: string; readonly customer_email: string };
let count = 0;
function someone(): Someone {
  const n = ++count;
  return { customer_id: `racer-${n}`, customer_last_name: `Racerson${n}`, customer_email: `racer-${n}@mail.example` };
}

const waitFor = (n: number) => until(async () => (await lockWaits(w)) >= n || undefined);
const erase = ({ customer_id }: Someone) =>
  ada.post('/api/customers/erase', { customer_id, reason: 'they wrote to us' });
/** The newest one. */
const erasure = async () => (await ada.get('/api/customers/erasures')).at('erasures.0.state');
const erased = () => until(async () => ((await erasure()) === 'done' ? true : undefined));
const advance = (seconds: number) => w.shop.api('/sandbox/clock/advance', { body: { seconds } });

/**
 * Two come for a row that is held, one after the other, and are let go: the first one gets it first. Neither waits for
 * ever; on a machine so slow that one gave up it is tried once more, with `again` of its own.
 */
async function inTurn<A, B>(
  [held, id]: readonly [string, string],
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B] | undefined> {
  await holder.query('BEGIN');
  const [row] = (await holder.query(held, [id])).rows;
  expect(row).toBeDefined();
  const one = first();
  await waitFor(1);
  const other = second();
  const both = await until(async () => {
    const n = await lockWaits(w);
    return n >= 2 ? 'both' : n === 0 ? 'given up' : undefined;
  });
  await holder.query('COMMIT');
  const ended = await Promise.all([one, other]);
  return both === 'both' ? ended : undefined;
}

const CHECKOUT_ROW = `SELECT 1 AS held FROM payment.checkouts WHERE id = decode($1, 'hex') FOR UPDATE`;
const CUSTOMER_ROW = `SELECT 1 AS held FROM payment.customers WHERE customer_id = $1 FOR UPDATE`;

/** Where anything of them stands: in orders and checkouts. */
async function whatIsKept({ customer_last_name, customer_email, customer_id }: Someone) {
  const marks = [customer_last_name, customer_email, customer_id];
  const [row] = await w.sql<{ orders: number; checkouts: number; records: number; waiting: number }>(
    `SELECT
       (SELECT count(*)::int FROM payment.orders WHERE body::text LIKE ANY ($1)) AS orders,
       (SELECT count(*)::int FROM payment.checkouts WHERE body::text LIKE ANY ($1)) AS checkouts,
       (SELECT count(*)::int FROM payment.customers WHERE customer_id = $2) AS records,
       (SELECT count(*)::int FROM payment.customer_orders WHERE customer_id = $2) AS waiting`,
    [marks.map((mark) => `%"${mark}"%`), customer_id],
  );
  return row;
}
const NOTHING = { orders: 0, checkouts: 0, records: 0, waiting: 0 };

/** Until neither gave up waiting. */
async function scenario<T>(play: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const ended = await play();
    if (ended !== undefined) return ended;
    await advance(LEASE_S);
  }
}

const pays =
  (body: object, card_number = PENDING) =>
  async (): Promise<Reply> =>
    w.shop.order({ token: await w.shop.token({ card_number }), ...body });

test('an order that takes its checkout first keeps all that it was given until it has ended; then nothing stays', async () => {
  const { person, checkout_id, order } = await scenario(async () => {
    const who = someone();
    const opened = await w.shop.checkout({ ...who, order_merchant_id: `first-${count}` });
    const token = await w.shop.token({ checkout_id: opened, card_number: PENDING });
    const ended = await inTurn(
      [CHECKOUT_ROW, opened],
      () => w.shop.order({ checkout_id: opened, token }),
      () => erase(who),
    );
    return ended && { person: who, checkout_id: opened, order: ended[0] };
  });
  const order_id = textAt(order, 'order_id');
  await until(async () => ((await lockWaits(w)) === 0 ? true : undefined));
  expect(await erasure()).toBe('waiting');
  expect(await whatIsKept(person)).toMatchObject({ checkouts: 1, records: 1, waiting: 1 });
  const read = await w.shop.read(order_id);
  expect(read.text).toContain(person.customer_email);
  await advance(LEASE_S);
  await w.shop.decided(order_id);
  await advance(LEASE_S);
  await erased();
  expect(await whatIsKept(person)).toEqual(NOTHING);
  const [row] = await w.sql(`SELECT status FROM payment.checkouts WHERE id = decode($1, 'hex')`, [checkout_id]);
  expect(row).toEqual({ status: 'created' });
});

test('an order that comes for a checkout that is being erased is refused: it is not begun with half of what it was given', async () => {
  const { person, checkout_id, order } = await scenario(async () => {
    const who = someone();
    const opened = await w.shop.checkout({ ...who, order_merchant_id: `second-${count}` });
    const token = await w.shop.token({ checkout_id: opened });
    const ended = await inTurn(
      [CHECKOUT_ROW, opened],
      () => erase(who),
      () => w.shop.order({ checkout_id: opened, token }),
    );
    return ended && { person: who, checkout_id: opened, order: ended[1] };
  });
  expect([order.status, order.text]).toEqual([400, expect.stringContaining('cancelled')]);
  await erased();
  expect(await whatIsKept(person)).toEqual(NOTHING);
  const orders = await w.sql(`SELECT 1 FROM payment.orders WHERE checkout_id = decode($1, 'hex')`, [checkout_id]);
  expect(orders).toEqual([]);
});

test('an order that takes the record of its customer before the last look is seen by it', async () => {
  const { person, order } = await scenario(async () => {
    const who = someone();
    await w.shop.checkout(who);
    const pay = pays({ ...CHECKOUT, type: undefined, ...who, order_merchant_id: `third-${count}` });
    const ended = await inTurn([CUSTOMER_ROW, who.customer_id], pay, () => erase(who));
    return ended && { person: who, order: ended[0] };
  });
  const order_id = textAt(order, 'order_id');
  await until(async () => ((await lockWaits(w)) === 0 ? true : undefined));
  expect(await erasure()).toBe('waiting');
  expect(await whatIsKept(person)).toEqual({ orders: 1, checkouts: 0, records: 1, waiting: 1 });
  await advance(LEASE_S);
  await w.shop.decided(order_id);
  await advance(LEASE_S);
  await erased();
  expect(await whatIsKept(person)).toEqual(NOTHING);
});

test('an order that comes behind the last look begins a record of its own, with all that it was given', async () => {
  const { person, order } = await scenario(async () => {
    const who = someone();
    await w.shop.checkout(who);
    const pay = pays({ ...CHECKOUT, type: undefined, ...who, order_merchant_id: `fourth-${count}` });
    const ended = await inTurn([CUSTOMER_ROW, who.customer_id], () => erase(who), pay);
    return ended && { person: who, order: ended[1] };
  });
  await erased();
  expect(await whatIsKept(person)).toEqual({ orders: 1, checkouts: 0, records: 1, waiting: 1 });
  expect((await w.shop.read(textAt(order, 'order_id'))).text).toContain(person.customer_email);
});

test('two orders of one checkout: while the second is under way the first keeps what both were given', async () => {
  const person = someone();
  const checkout_id = await w.shop.checkout({ ...person, order_merchant_id: 'twice' });
  const first = await pays({ checkout_id }, '4000000000000002')();
  await w.shop.decided(textAt(first, 'order_id'));
  expect((await erase(person)).status).toBe(200);
  await erased();
  expect(await whatIsKept(person)).toEqual(NOTHING);

  const { other, order } = await scenario(async () => {
    const who = someone();
    const again = await w.shop.checkout({ ...who, order_merchant_id: `twice-${count}` });
    const declined = await pays({ checkout_id: again }, '4000000000000002')();
    await w.shop.decided(textAt(declined, 'order_id'));
    const token = await w.shop.token({ checkout_id: again, card_number: PENDING });
    const ended = await inTurn(
      [CHECKOUT_ROW, again],
      () => w.shop.order({ checkout_id: again, token }),
      () => erase(who),
    );
    return ended && { other: who, order: ended[0] };
  });
  const order_id = textAt(order, 'order_id');
  await until(async () => ((await lockWaits(w)) === 0 ? true : undefined));
  expect(await whatIsKept(other)).toMatchObject({ checkouts: 1 });
  await advance(LEASE_S);
  await w.shop.decided(order_id);
  await advance(LEASE_S);
  await erased();
  expect(await whatIsKept(other)).toEqual(NOTHING);
});

/** Orders by what became of them, and by country: as the overview has counted them, and as they are. */
async function sums() {
  const of = (columns: string, from: string) =>
    w.sql(
      `SELECT name, sum(captured)::int AS captured, sum(refunded)::int AS refunded FROM (SELECT ${columns} FROM ${from}) o
       GROUP BY name HAVING sum(captured) <> 0 OR sum(refunded) <> 0 ORDER BY name`,
    );
  const counted = await of('name, captured, refunded', `payment.order_sums WHERE facet = 'country' AND hours = 1`);
  const is = (outcome: string) => `(k.outcome = '${outcome}')::int AS ${outcome}`;
  const found = `payment.order_search s JOIN payment.order_classes k ON k.id = s.class_id`;
  return [counted, await of(`s.country AS name, ${is('captured')}, ${is('refunded')}`, found)];
}
const followed = () =>
  until(async () => {
    const rows = await w.sql(
      `SELECT FROM payment.events WHERE tx >= (SELECT next_tx FROM payment.order_search_state) LIMIT 1`,
    );
    return rows.length === 0 ? true : undefined;
  });

test('an order that the search follows while it is erased is counted once', async () => {
  const refund = async (order_id: string) => {
    await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: {} });
    await until(async () => ((await w.shop.read(order_id)).at('status') === 'refund_successful' ? true : undefined));
  };
  const [before, who] = [someone(), someone()];
  const ids: string[] = [];
  for (const { customer_id } of [before, who]) {
    const sale = { operation_type: 'direct_capture', customer_country: 'FR', order_merchant_id: `of-${customer_id}` };
    const paid = await w.shop.pay({}, { ...sale, customer_id });
    ids.push(textAt(await w.shop.decided(textAt(paid, 'order_id')), 'order_id'));
  }
  await refund(ids[0] ?? '');
  await followed();
  // what the worker does, in a transaction that has not ended when the order is erased
  await holder.query('BEGIN; LOCK TABLE payment.order_search_state IN EXCLUSIVE MODE');
  await refund(ids[1] ?? '');
  expect((await holder.query('SELECT payment.follow_orders(1000000) AS left')).rows).toEqual([{ left: '0' }]);
  await erase(who);
  await until(async () => (await lockWaits(w, 'payment.forget_found')) > 0 || undefined);
  await holder.query('COMMIT');
  await advance(LEASE_S);
  await erased();
  await followed();
  const [counted, are] = await sums();
  expect(counted).toEqual(are);
  expect(are).toEqual([
    { name: '', captured: 0, refunded: 1 },
    { name: 'FR', captured: 0, refunded: 1 },
  ]);
});

test('what an attempt was sent with before another one is erased with the rest', async () => {
  const who = someone();
  const [before, behind] = ['before@mail.example', 'behind@mail.example'];
  const declined = { card_number: '4000000000000002' };
  const paid = await w.shop.pay(declined, { ...who, customer_email: before, order_merchant_id: `put-${count}` });
  const order_id = textAt(paid, 'order_id');
  await w.shop.api(`/payment/order/${order_id}`, {
    method: 'PUT',
    body: { token: await w.shop.token(declined), customer_email: behind },
  });
  const read = await w.shop.decided(order_id);
  expect([0, 1].map((i) => read.at(`transactions.${i}.customer_email`))).toEqual([before, behind]);
  const copy = await ada.get(`/api/customers/data?customer_id=${who.customer_id}`);
  expect([before, behind].map((one) => copy.text.includes(one))).toEqual([true, true]);
  await erase(who);
  await erased();
  const erasedRead = await w.shop.read(order_id);
  expect([before, behind, who.customer_last_name].filter((one) => erasedRead.text.includes(one))).toEqual([]);
  const kept = await w.sql(`SELECT 1 FROM payment.transactions t WHERE t::text LIKE '%' || $1 || '%'`, [before]);
  expect(kept).toEqual([]);
});

test('a checkout that is made while the record is held for the last look is found by that look', async () => {
  const who = someone();
  await w.shop.checkout({ ...who, order_merchant_id: `last-look-${count}` });
  await holder.query('BEGIN');
  await holder.query(CUSTOMER_ROW, [who.customer_id]);
  const asked = erase(who);
  await waitFor(1);
  const late = await w.shop.checkout({ ...who, order_merchant_id: `last-look-${count}` });
  await holder.query('COMMIT');
  await asked;
  await erased();
  expect(await whatIsKept(who)).toEqual(NOTHING);
  const [row] = await w.sql(`SELECT status FROM payment.checkouts WHERE id = decode($1, 'hex')`, [late]);
  expect(row).toEqual({ status: 'cancelled' });
});
