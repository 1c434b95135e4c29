// Large refunds of people, where the account wants two for them: nothing moves before the second one approves.
import { afterAll, beforeAll, expect, test } from 'vitest';
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
const refund = (person: Person, order_id: string, amount?: string) =>
  person.post(`/api/orders/${order_id}/refund`, { ...(amount !== undefined && { amount }), reason });
const refunded = async (order_id: string) => (await owner.get(`/api/orders/${order_id}`)).at('money.refunded_minor');
const waiting = async (order_id: string) => {
  const list = JSON.stringify((await owner.get('/api/refund-requests')).at('requests'));
  return new RegExp(`"id":"(\\w+)","order_id":"${order_id}"`).exec(list)?.[1] ?? '';
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

test('a refund by a private key is the merchant’s own program, and waits for nobody', async () => {
  const order_id = await paid();
  const answer = await w.shop.api(`/payment/maintenance/refund/${order_id}`, {
    body: {},
    headers: { prefer: 'wait=10' },
  });
  expect([answer.status, answer.code]).toEqual([200, '966666']);
});
