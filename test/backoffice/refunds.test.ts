// Large refunds of people, where the account wants two for them: nothing moves before the second one approves.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordDispute } from '../../src/payment/dispute/record.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Person, colleague, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
let second: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
  second = await colleague(w, 'operator', 'ben@shop.example');
  await w.sql(`UPDATE payment.members SET since = since - interval '2 days'`);
});
afterAll(() => w[Symbol.asyncDispose]());

const reason = 'the parcel came back';
const paid = async (amount = '60.00') => textAt(await w.shop.pay({}, { amount }), 'order_id');
const send = (person: Person, order_id: string, body: object, key: string) =>
  person.ask('POST', `/api/orders/${order_id}/refund`, { reason, ...body }, { 'idempotency-key': key });
const refund = (person: Person, order_id: string, amount?: string) =>
  person.post(`/api/orders/${order_id}/refund`, { ...(amount !== undefined && { amount }), reason });
const refunded = async (order_id: string) => (await owner.get(`/api/orders/${order_id}`)).at('money.refunded_minor');
const waiting = async (order_id: string) => {
  const list = JSON.stringify((await owner.get('/api/refund-requests')).at('requests'));
  return new RegExp(`"id":"(\\w+)","order_id":"${order_id}"`).exec(list)?.[1] ?? '';
};
const shown = async (order_id: string) => {
  const list = (await owner.get('/api/refund-requests')).at('requests') as readonly { readonly order_id: string }[];
  return list.find((one) => one.order_id === order_id);
};

test('without the setting for a second person a refund of any size is one person’s, and only an owner or administrator sets it', async () => {
  const order_id = await paid();
  expect((await refund(owner, order_id)).at('state')).toBe('successful');
  const developer = await invited(w, owner, 'developer');
  const change = { refunds_two_people_above: ['EUR=50'] };
  expect((await developer.ask('PUT', '/api/settings', change)).status).toBe(403);
  expect((await owner.ask('PUT', '/api/settings', { refunds_two_people_above: ['50'] })).at('errors.0.field')).toBe(
    'refunds_two_people_above',
  );
  expect((await owner.ask('PUT', '/api/settings', change)).status).toBe(200);
});

test('a currency that stands there twice is refused beside its field; where an earlier version took it, two people are needed', async () => {
  const twice = await owner.ask('PUT', '/api/settings', { refunds_two_people_above: ['EUR=50', 'EUR=80', 'USD=50'] });
  expect([twice.status, twice.at('errors.0.field')]).toEqual([400, 'refunds_two_people_above']);
  await w.sql(
    `UPDATE payment.merchant_accounts SET settings = settings || '{"refunds_two_people_above": ["EUR=50", "EUR=80"]}'`,
  );
  const order_id = await paid();
  expect([(await refund(owner, order_id)).at('state'), await refunded(order_id)]).toEqual(['waits', 0]);
  await owner.post(`/api/refund-requests/${await waiting(order_id)}/decline`, { reason });
  await owner.ask('PUT', '/api/settings', { refunds_two_people_above: ['EUR=50'] });
});

test('a refund above the limit waits, its own author cannot approve it, and a second person does, once', async () => {
  const order_id = await paid();
  const asked = await refund(owner, order_id);
  expect([asked.status, asked.at('state'), await refunded(order_id)]).toEqual([200, 'waits', 0]);
  const id = await waiting(order_id);
  expect((await owner.post(`/api/refund-requests/${id}/approve`, { reason })).status).toBe(403);
  expect(await refunded(order_id)).toBe(0);
  const both = await Promise.all([1, 2].map(() => second.post(`/api/refund-requests/${id}/approve`, { reason })));
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)[0]).toBe(200);
  expect(await refunded(order_id)).toBe(6000);
  expect(await waiting(order_id)).toBe('');
  const rows = await w.sql<{ action: string; actor: string }>(
    `SELECT action, actor FROM payment.audit WHERE object = $1 ORDER BY seq`,
    [order_id],
  );
  expect(rows).toEqual([
    { action: 'refund proposed', actor: 'ada@shop.example' },
    { action: 'refund requested', actor: 'ben@shop.example' },
  ]);
});

test('a large refund that the second person declines moves nothing, and many small refunds of an order are a large one', async () => {
  const order_id = await paid();
  expect((await refund(second, order_id, '30.00')).at('state')).toBe('successful');
  expect((await refund(second, order_id, '20.00')).at('state')).toBe('successful');
  expect((await refund(second, order_id, '0.01')).at('state')).toBe('waits');
  const id = await waiting(order_id);
  expect((await owner.post(`/api/refund-requests/${id}/decline`, { reason })).status).toBe(200);
  expect((await second.post(`/api/refund-requests/${id}/approve`, { reason })).status).toBe(404);
  expect(await refunded(order_id)).toBe(5000);
});

test('small refunds that are asked for at the same moment are a large one, too', async () => {
  const order_id = await paid();
  const amounts = ['30.00', '29.00', '1.00'];
  const states = (await Promise.all(amounts.map((amount) => refund(second, order_id, amount)))).map(({ at }) =>
    at('state'),
  );
  // nothing is lost by it: what did not pass is asked for again
  expect(states.filter((state) => state === 'successful').length).toBeGreaterThan(0);
  expect(Number(await refunded(order_id))).toBeLessThanOrEqual(5000);
});

test('a refund that is repeated under its key after a lost answer is told what was done, and no second one is proposed', async () => {
  const order_id = await paid();
  const first = await send(second, order_id, { amount: '30.00' }, 'refund-once');
  expect(first.at('state')).toBe('successful');
  const again = await send(second, order_id, { amount: '30.00' }, 'refund-once');
  expect([again.at('state'), again.at('operation_id')]).toEqual(['successful', first.at('operation_id')]);
  expect(await waiting(order_id)).toBe('');
});

test('a large refund that is repeated under its key is proposed once, and the repeat is told what became of it', async () => {
  const proposed = async (order_id: string) =>
    Number(
      (
        await w.sql<{ n: string }>(
          `SELECT count(*) AS n FROM payment.refund_requests WHERE order_id = decode($1, 'hex')`,
          [order_id],
        )
      )[0]?.n,
    );
  const order_id = await paid('200.00');
  const twice = () => send(owner, order_id, { amount: '60.00' }, 'large-once');
  const both = await Promise.all([twice(), twice()]);
  expect(both.map(({ at }) => at('state'))).toEqual(['waits', 'waits']);
  expect(await proposed(order_id)).toBe(1);
  expect((await send(owner, order_id, { amount: '70.00' }, 'large-once')).at('errors.0.field')).toBe('Idempotency-Key');
  const id = await waiting(order_id);
  expect((await second.post(`/api/refund-requests/${id}/approve`, { reason })).status).toBe(200);
  const done = await twice();
  expect([done.at('state'), await refunded(order_id), await proposed(order_id)]).toEqual(['successful', 6000, 1]);
  // and one that was declined is not proposed again by a repeat
  const other = await paid('200.00');
  const declined = () => send(owner, other, { amount: '60.00' }, 'large-declined');
  expect((await declined()).at('state')).toBe('waits');
  expect((await second.post(`/api/refund-requests/${await waiting(other)}/decline`, { reason })).status).toBe(200);
  const repeat = await declined();
  expect([repeat.status, await waiting(other), await refunded(other)]).toEqual([409, '', 0]);
});

test('the repeat of a large refund that was approved, and that the provider declined, says so', async () => {
  const sale = { amount: '200.00', operation_type: 'direct_capture' };
  const order_id = textAt(await w.shop.pay({ card_number: '4000009903000019' }, sale), 'order_id');
  const ask = () => send(owner, order_id, { amount: '60.00' }, 'large-refused');
  expect((await ask()).at('state')).toBe('waits');
  const approved = await second.post(`/api/refund-requests/${await waiting(order_id)}/approve`, { reason });
  const repeat = await ask();
  expect([repeat.status, repeat.at('result.code')]).toEqual([422, approved.at('result.code')]);
  expect(await refunded(order_id)).toBe(0);
});

test('what waits for a second person is the very refund that was asked for: of one capture, no more than that has left', async () => {
  const order = await w.shop.pay({}, { amount: '100.00', operation_type: 'authorize' });
  const order_id = textAt(order, 'order_id');
  const capture = (amount: string) => owner.post(`/api/orders/${order_id}/capture`, { amount, reason });
  const small = (await capture('10.00')).say('operation_id');
  const large = (await capture('90.00')).say('operation_id');
  expect((await owner.post(`/api/orders/${order_id}/refund`, { capture_id: large, reason })).at('state')).toBe('waits');
  expect(await shown(order_id)).toMatchObject({ amount_minor: 9000, even_if_disputed: false });
  expect((await owner.post(`/api/orders/${order_id}/refund`, { capture_id: small, reason })).at('state')).toBe(
    'successful',
  );
  expect(await refunded(order_id)).toBe(1000);
  expect((await second.post(`/api/refund-requests/${await waiting(order_id)}/approve`, { reason })).status).toBe(200);
  expect(await refunded(order_id)).toBe(10000);
});

test('a large refund of disputed money is refused before anybody approves it; asked for all the same, the second person is told', async () => {
  const order_id = await paid();
  const { tools } = w.service;
  const order = await findOrder(tools.db.tenant(w.account), order_id);
  const operation = order?.operations.find(({ kind }) => kind === 'capture');
  if (!order || !operation) throw new Error('no captured order');
  const dispute = {
    kind: 'dispute',
    state: 'opened',
    amount_minor: 6000n,
    currency: 'EUR',
    reference: 'dp_r',
  } as const;
  const why = { reason: 'Fraud', reason_code: '10.4', at: '2026-03-01T10:00:00.000Z' };
  expect(await recordDispute(tools, order, { operation, provider: 'simulator', dispute: { ...dispute, ...why } })).toBe(
    true,
  );
  const refused = await refund(owner, order_id);
  expect([refused.status, refused.at('result.code'), await waiting(order_id)]).toEqual([409, '620210', '']);
  const anyway = await owner.post(`/api/orders/${order_id}/refund`, { even_if_disputed: true, reason });
  expect(anyway.at('state')).toBe('waits');
  expect(await shown(order_id)).toMatchObject({ amount_minor: 6000, even_if_disputed: true });
  expect((await second.post(`/api/refund-requests/${await waiting(order_id)}/approve`, { reason })).status).toBe(200);
  expect(await refunded(order_id)).toBe(6000);
});

test('however many wait before it, a refund is shown with its order, counted, and approved', async () => {
  await w.sql(
    `INSERT INTO payment.refund_requests (
       id, merchant_account_id, order_id, form, amount_minor, currency, reason, requested_by, requested_email, created_at)
     SELECT
       decode(lpad(to_hex(n), 24, '0'), 'hex'), m.merchant_account_id, decode(lpad(to_hex(n), 24, '0'), 'hex'), '{}',
       6000, 'EUR', 'many before', m.person_id, 'ada@shop.example', payment.now() - interval '1 day'
     FROM generate_series(1, 200) n, (SELECT * FROM payment.members WHERE role = 'owner' LIMIT 1) m`,
  );
  const order_id = await paid();
  expect((await refund(owner, order_id)).at('state')).toBe('waits');
  const [all, of_order, needs] = await Promise.all([
    second.get('/api/refund-requests'),
    second.get(`/api/refund-requests?order_id=${order_id}`),
    second.get('/api/needs'),
  ]);
  expect([all.at('more'), of_order.at('more'), needs.at('refunds_waiting')]).toEqual([true, false, 201]);
  expect(of_order.at('requests.0.order_id')).toBe(order_id);
  const id = of_order.say('requests.0.id');
  expect((await second.post(`/api/refund-requests/${id}/approve`, { reason })).status).toBe(200);
  expect(await refunded(order_id)).toBe(6000);
  await w.sql(`DELETE FROM payment.refund_requests WHERE reason = 'many before'`);
});

test('a refund by a private key is the merchant’s own program, and waits for nobody', async () => {
  const order_id = await paid();
  const answer = await w.shop.api(`/payment/maintenance/refund/${order_id}`, {
    body: {},
    headers: { prefer: 'wait=10' },
  });
  expect([answer.status, answer.code]).toEqual([200, '966666']);
});
