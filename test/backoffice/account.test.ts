// Keys, settings, contracts, customers, notifications, risk rules, the sandbox and the overview, as a person works with
// them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Person, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const reason = 'a test of the pages';
const text = (person: Awaited<ReturnType<Person['get']>>, path: string): string => {
  const value = person.at(path);
  if (typeof value !== 'string') throw new Error(`there is no text at ${path}: ${person.text}`);
  return value;
};

test('a customer is found and shown without any token, and a saved card is removed for good', async () => {
  const token = await w.shop.token({ token_type: 'recurring' });
  const fields = { token, customer_id: 'bo-customer', token_type: 'recurring', payment_channel: 'e-commerce' };
  await w.shop.pay({}, fields);
  await w.shop.pay({}, { customer_id: 'other-customer' });
  const list = await owner.get('/api/customers?search=bo-');
  expect([list.at('customers.0.customer_id'), list.at('customers.1')]).toEqual(['bo-customer', undefined]);
  const shown = await owner.get('/api/customers/one?customer_id=bo-customer');
  expect([shown.at('cards.0.last4'), shown.at('orders.0.customer_id')]).toEqual(['4242', 'bo-customer']);
  expect(shown.text).not.toContain(token);
  expect(shown.text).not.toContain('token_sealed');
  const card = text(shown, 'cards.0.id');
  const without = await owner.ask('DELETE', '/api/customers/card', { customer_id: 'bo-customer', id: card });
  expect(without.at('errors.0.field')).toBe('reason');
  const gone = await owner.ask('DELETE', '/api/customers/card', { customer_id: 'bo-customer', id: card, reason });
  expect(gone.at('cards')).toEqual([]);
  const [row] = await w.sql<{ reason: string }>(
    `SELECT reason FROM payment.audit WHERE action = 'card removed' AND object = $1`,
    [card],
  );
  expect(row?.reason).toBe(reason);
  expect((await w.shop.pay({}, fields)).code).not.toBe('944444');
});

test('an existing key text is brought with its kind, works, is shown to nobody, and is refused when it is taken', async () => {
  const shop = await w.otherShop();
  const brought = 'sk_old_gateway_4711-abcdefgh';
  const form = { kind: 'public', label: 'old gateway', text: brought };
  for (const wrong of ['short', `${brought} `, 'a'.repeat(129)])
    expect((await owner.post('/api/keys', { ...form, text: wrong })).at('errors.0.field')).toBe('text');
  const made = await owner.post('/api/keys', form);
  expect([made.status, made.at('text')]).toEqual([200, null]);
  for (const shown of [made, await owner.get('/api/keys'), await owner.get('/api/audit')])
    expect(shown.text).not.toContain(brought);
  expect((await w.shop.vault('/token', { key: brought, body: {} })).status).toBe(400);
  const id = made.say('id');
  await owner.post(`/api/keys/${id}/revoke`, { reason });
  // whoever has it: this account, revoked ones too, and another
  for (const text_taken of [brought, shop.keys.public_key]) {
    const again = await owner.post('/api/keys', { ...form, text: text_taken });
    expect([again.status, again.at('errors.0.field')]).toEqual([400, 'text']);
  }
});

test('keys that are made at once are never more than two', async () => {
  const make = (n: number) => owner.post('/api/keys', { kind: 'public', label: `at once ${n}` });
  const made = await Promise.all([1, 2, 3, 4, 5, 6].map(make));
  expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 409, 409, 409, 409, 409,
  ]);
});

test('a use at the vault is a use, and a private key that a browser brings is marked', async () => {
  const noted = async (kind: string) => {
    const { body } = await owner.get('/api/keys');
    const found = JSON.stringify(body).match(new RegExp(`{[^{}]*"kind":"${kind}"[^{}]*"label":"demo"[^{}]*}`));
    const { last_used_at, in_page_at } = JSON.parse(found?.[0] ?? '{}');
    return [typeof last_used_at, typeof in_page_at];
  };
  const origin = 'https://shop.example';
  await w.shop.vault('/token', { headers: { origin }, body: {} });
  await expect.poll(() => noted('public')).toEqual(['string', 'object']);
  const other = await owner.post('/api/keys', { kind: 'private', label: 'in page' });
  const key = text(other, 'text');
  const mark = async () => JSON.stringify((await owner.get('/api/keys')).at('keys'));
  await w.shop.api('/payment/order', { key });
  await expect.poll(mark).toMatch(/"label":"in page"[^}]*"last_used_at":"20[^}]*"in_page_at":null/);
  await w.shop.api('/payment/order', { key, headers: { origin } });
  await expect.poll(mark).toMatch(/"label":"in page"[^}]*"in_page_at":"20/);
  await owner.post(`/api/keys/${other.say('id')}/revoke`, { reason });
});

test('a key is shown once, works at once, is rolled with an overlap, and the old one ends by itself', async () => {
  expect((await owner.get('/api/keys')).text).not.toMatch(/digest|FL_PR_s/);
  const made = await owner.post('/api/keys', { kind: 'private', label: 'server' });
  const first = text(made, 'text');
  const id = text(made, 'id');
  expect((await owner.get('/api/keys')).text).not.toContain(first);
  const works = async (key: string) => (await w.shop.api('/payment/order', { key })).status;
  expect(await works(first)).toBe(200);
  const third = await owner.post('/api/keys', { kind: 'private', label: 'one too many' });
  expect([third.status, third.at('detail')]).toEqual([409, 'the account has 2 active private keys: revoke one first']);
  const demo_id = await idOfDemo();
  await owner.post(`/api/keys/${demo_id}/revoke`, { reason });
  const rolled = await owner.post(`/api/keys/${id}/roll`, { overlap_hours: 24, reason });
  expect([await works(first), await works(text(rolled, 'text'))]).toEqual([200, 200]);
  await w.sql(`UPDATE payment.api_keys SET ends_at = now() - interval '1 second' WHERE ends_at IS NOT NULL`);
  await expect.poll(() => works(first)).toBe(403);
  expect(await works(text(rolled, 'text'))).toBe(200);
  await expect
    .poll(async () => JSON.stringify((await owner.get('/api/keys')).at('keys')))
    .toMatch(/"last_used_at":"20/);
});

async function idOfDemo(): Promise<string> {
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.api_keys WHERE kind = 'private' AND label = 'demo' AND merchant_account_id = (SELECT merchant_account_id FROM payment.members LIMIT 1)`,
  );
  return row?.id ?? '';
}

test('settings are changed together or not at all, and what is wrong is said beside each', async () => {
  const wrong = await owner.ask('PUT', '/api/settings', {
    wait_refund: 99,
    page_colour: 'blue',
    display_save: true,
    no_such: 1,
  });
  expect([wrong.status, wrong.text.match(/"field":"\w+"/g)]).toEqual([
    400,
    ['"field":"wait_refund"', '"field":"page_colour"', '"field":"no_such"'],
  ]);
  expect((await owner.get('/api/settings')).at('settings.display_save')).toBe(false);
  const done = await owner.ask('PUT', '/api/settings', {
    display_save: true,
    registered_origins: ['https://shop.example'],
  });
  expect([done.at('settings.display_save'), done.at('settings.registered_origins.0')]).toEqual([
    true,
    'https://shop.example',
  ]);
  const back = await owner.ask('PUT', '/api/settings', { display_save: null });
  expect(back.at('settings.display_save')).toBe(false);
});

test('a contract that is switched off is passed over with the next payment', async () => {
  const id = (await owner.get('/api/providers')).say('contracts.0.id');
  expect((await owner.post(`/api/providers/${id}/test`)).at('outcome')).toBe('answered');
  const off = await owner.ask('PUT', `/api/providers/${id}`, { enabled: false, reason });
  expect(off.at('enabled')).toBe(false);
  const fresh = await owner.post('/api/keys', { kind: 'private', label: 'again' });
  const shop = w.client({ ...w.keys, private_key: text(fresh, 'text') });
  const paid = await shop.pay({}, { order_merchant_id: 'second-choice' });
  expect(paid.at('payin_partner')).toBe('simulator_b');
  const detail = await owner.get(`/api/orders/${textAt(paid, 'order_id')}`);
  expect(JSON.stringify(detail.at('route'))).toContain('"provider":"simulator_b","chosen":true');
  await owner.ask('PUT', `/api/providers/${id}`, { enabled: true, reason });
  expect((await owner.ask('PUT', `/api/providers/${id}`, { currencies: ['XXX'], reason })).status).toBe(400);
});

test('endpoints, rules and the overview go through the verbs of the API', async () => {
  const made = await owner.post('/api/notifications/endpoints', {
    url: 'http://127.0.0.1:9/hook',
    description: 'closed',
  });
  expect([made.status, text(made, 'secret').slice(0, 6)]).toEqual([200, 'whsec_']);
  const id = text(made, 'id');
  expect((await owner.get('/api/notifications')).text).not.toContain('whsec_');
  expect((await owner.post(`/api/notifications/endpoints/${id}/secret`, { overlap_hours: 1 })).status).toBe(200);
  const tried = await owner.post(`/api/notifications/endpoints/${id}/test`);
  expect([tried.status, tried.at('delivered')]).toEqual([200, false]);
  const sent = await owner.get(`/api/notifications/deliveries?endpoint_id=${id}`);
  expect(sent.at('deliveries.0.event')).toBe('test');
  expect((await owner.post('/api/notifications/replay', { endpoint_id: id })).at('replayed')).toBe(0);
  expect((await owner.ask('DELETE', `/api/notifications/endpoints/${id}`)).at('endpoints')).toEqual([]);

  const rules = [{ kind: 'amount', name: 'large', currency: 'EUR', above: '1000.00', action: 'refuse' }];
  const draft = await owner.post('/api/risk/test', { rules });
  expect([draft.status, typeof draft.at('attempts')]).toEqual([200, 'number']);
  const published = await owner.post('/api/risk/publish', { rules, base_version: 0, reason });
  expect([published.at('version'), published.at('published_by')]).toEqual([1, 'ada@shop.example']);
  expect((await owner.post('/api/risk/publish', { rules: [], base_version: 0, reason })).status).toBe(409);
  expect((await owner.post('/api/risk/roll-back', { version: 0, reason })).at('version')).toBe(2);
  const listed = await owner.post('/api/risk/lists', {
    list: 'block',
    subject: 'email',
    value: 'eve@payer.example',
    reason,
  });
  expect(listed.text).not.toContain('eve@payer.example');
  expect(
    (await owner.ask('DELETE', `/api/risk/lists/${listed.say('entries.0.id')}`, { reason })).at('entries'),
  ).toEqual([]);

  // what is counted follows the orders, each a moment later
  const overview = await until(async () => {
    const now = await owner.get('/api/overview?days=7&zone=Europe/Paris&currency=EUR&compare=week');
    const orders = Number(now.at('now.orders'));
    return orders > 0 && now.at('series.6.orders') === orders ? now : undefined;
  });
  expect([overview.at('empty'), overview.at('currencies.0.name'), overview.at('step')]).toEqual([false, 'EUR', 'day']);
  const { series, series_before, from, before } = overview.body as {
    readonly series: readonly { readonly begins: string; readonly volume_minor: number }[];
    readonly series_before: readonly unknown[];
    readonly from: string;
    readonly before: { readonly from: string };
  };
  expect([series.length, series_before.length]).toEqual([7, 7]);
  const inParis = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', timeStyle: 'medium' });
  expect(inParis.format(new Date(series[0]?.begins ?? ''))).toBe('00:00:00');
  expect(Date.parse(from) - Date.parse(before.from)).toBe(7 * 86_400_000);
  expect(series[6]?.volume_minor).toBeGreaterThan(0);
  const wrong = async (query: string) => {
    const { status, at } = await owner.get(`/api/overview?${query}`);
    return [status, at('errors.0.field')];
  };
  expect(await wrong('zone=Mars/Olympus')).toEqual([400, 'zone']);
  expect(await wrong('from=2026-02-30')).toEqual([400, 'from']);
  expect(await wrong('from=0001-01-01')).toEqual([400, 'from']);
  expect(await wrong('from=2026-03-02&to=2026-03-01')).toEqual([400, 'to']);
  expect(await wrong('currency=euro')).toEqual([400, 'currency']);
});

test('the sandbox shows its cards, arms a fault that the next payment meets, and moves its clock without ending a session', async () => {
  const state = await owner.get('/api/sandbox');
  expect(state.at('cards.0.number')).toBeTypeOf('string');
  const armed = await owner.post('/api/sandbox/scenarios', { operation: 'authorize', fault: 'decline' });
  expect(armed.at('scenarios.0.fault')).toBe('decline');
  expect((await owner.ask('DELETE', '/api/sandbox/scenarios')).at('scenarios')).toEqual([]);
  const before = Date.parse(text(state, 'clock.now'));
  const moved = await owner.post('/api/sandbox/clock', { advance_s: 86_400 });
  expect(Date.parse(text(moved, 'clock.now')) - before).toBeGreaterThanOrEqual(86_400_000);
  expect((await owner.get('/api/me')).status).toBe(200);
});

test('path and query of an endpoint are seen by those who may change it, and are in nobody else’s answer nor in the audit', async () => {
  const url = 'http://127.0.0.1:9/services/T0K3N?token=hush-hush';
  const made = await owner.post('/api/notifications/endpoints', { url });
  expect(made.at('endpoints.0.url')).toBe(url);
  for (const role of ['administrator', 'developer'] as const) {
    const person = await invited(w, owner, role, `${role}@endpoints.example`);
    expect([role, (await person.get('/api/notifications')).at('endpoints.0.url')]).toEqual([role, url]);
  }
  for (const role of ['operator', 'reader'] as const) {
    const person = await invited(w, owner, role, `${role}@endpoints.example`);
    const seen = await person.get('/api/notifications');
    expect([role, seen.at('endpoints.0.url')]).toEqual([role, 'http://127.0.0.1:9/…']);
    expect(seen.text).not.toMatch(/T0K3N|hush-hush/);
  }
  const audit = await owner.get('/api/audit?action=endpoint%20created');
  expect(audit.at('records.0.detail')).toEqual({ url: 'http://127.0.0.1:9/…' });
  expect((await owner.get('/api/audit')).text).not.toMatch(/T0K3N|hush-hush/);
  expect((await owner.ask('DELETE', `/api/notifications/endpoints/${text(made, 'id')}`)).at('endpoints')).toEqual([]);
});
