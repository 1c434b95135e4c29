// Credentials of a contract: given by a person, sealed as they arrive, carried by every call of the contract, shown to
// nobody. And a provider that refuses them is well: it costs no other merchant anything, and decides nothing about what
// was sent before.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseUnavailable, withTransaction } from '../../src/kit/database.ts';
import { NotDone } from '../../src/kit/link/verbs.ts';
import { changeCredentials, findCredentials } from '../../src/payment/merchant/credentials/credentials.ts';
import { KeysSealed } from '../../src/vault/keys/provider.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Person, firstOwner } from './person.ts';

let w: World;
let owner: Person;
let contract_id: string;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
  const { body } = await owner.get('/api/providers');
  const found = JSON.stringify(body).match(/"id":"([0-9a-f]{24})","name":"simulator"/);
  contract_id = found?.[1] ?? '';
  // one bank only, so that no other is tried in its place
  await w.sql(`UPDATE payment.contracts SET enabled = false WHERE provider = 'simulator_b'`);
});
afterAll(() => w[Symbol.asyncDispose]());

const reason = 'a test of credentials';
const path = () => `/api/providers/${contract_id}/credentials`;
const set = async (api_key: string) => {
  const reply = await owner.post(path(), { values: { api_key }, reason });
  expect([reply.status, reply.text.includes(api_key)]).toEqual([200, false]);
  // the vault may remember the one before for a moment
  return reply;
};
const paysWith = (code: string) => until(async () => ((await w.shop.pay()).code === code ? true : undefined));
const call = (kind: string, order_id: string, body: object = {}, wait = 10) =>
  w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body, headers: { prefer: `wait=${wait}` } });
const authorized = async (card: object = {}) =>
  textAt(await w.shop.pay(card, { operation_type: 'authorize' }), 'order_id');
const advance = (seconds: number) => w.shop.api('/sandbox/clock/advance', { body: { seconds } });
const state = async (order_id: string) => (await w.shop.read(order_id)).at('status');

/** The first call of its capture has come back, and left it in doubt. */
const firstSent = (order_id: string) =>
  until(async () => {
    const rows = await w.sql(
      `SELECT 1 FROM payment.observations v JOIN payment.operations o ON o.id = v.operation_id
       WHERE o.order_id = decode($1, 'hex') AND o.kind = 'capture' AND v.source = 'answer' AND v.outcome = 'unknown'`,
      [order_id],
    );
    return rows.length > 0 || undefined;
  });

test('credentials go with the cards and with every other call from the moment in which they are set', async () => {
  const order_id = await authorized();
  const before = await owner.get('/api/providers');
  expect(before.at('contracts.0.credentials.0')).toMatchObject({ name: 'api_key', required: false, set_at: null });
  const reply = await set('invalid-key-of-a-shop');
  expect(reply.say('credentials.0.set_at')).toMatch(/^20/);
  await paysWith('151021');
  const refused = await call('capture', order_id);
  expect([refused.status, refused.code]).toEqual([422, '521088']);
  const shown = await owner.get(`/api/orders/${order_id}`);
  expect(shown.text).toContain('does not accept the credentials');
  const tried = await owner.post(`/api/providers/${contract_id}/test`);
  expect(tried.at('outcome')).toBe('refused');
  await set('limited-key-of-a-shop');
  await paysWith('151023');
  await set('good-key-of-a-shop');
  await paysWith('955555');
  expect((await call('capture', order_id)).code).toBe('955555');
  expect((await owner.post(`/api/providers/${contract_id}/test`)).at('outcome')).toBe('answered');
});

test('a capture whose answer was lost is not called refused because its repeat is: it ends when they are right again, once', async () => {
  const order_id = await authorized();
  // taken at the bank, and the answer lost
  await w.shop.api('/sandbox/scenario', { body: { operation: 'capture', fault: 'http_500_after', times: 1 } });
  expect((await call('capture', order_id, {}, 0)).status).toBe(200);
  await firstSent(order_id);
  await set('invalid-from-now-on');
  await advance(600);
  const calls = await w.sql(
    `SELECT 1 FROM payment.observations v JOIN payment.operations o ON o.id = v.operation_id
     WHERE o.order_id = decode($1, 'hex') AND o.kind = 'capture' AND v.source = 'inquiry'`,
    [order_id],
  );
  // many on end, and each an answer: the bank is well, for this merchant and for others
  expect(calls.length).toBeGreaterThan(5);
  expect(await w.sql(`SELECT name FROM payment.providers WHERE health = 'open'`)).toEqual([]);
  expect(await state(order_id)).toBe('capture_requested');
  await set('good-again');
  await advance(3600);
  expect(await state(order_id)).toBe('capture_successful');
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${order_id}`);
  expect(books.at('entries')).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'capture', state: 'captured', effects: 1 })]),
  );
});

test('a capture that is sent again and turned away stays in doubt: what was sent first may have been taken', async () => {
  const order_id = await authorized();
  const { tools } = w.service;
  const { direct } = tools;
  const arm = (fault: string) => w.shop.api('/sandbox/scenario', { body: { operation: 'capture', fault, times: 1 } });
  await arm('http_500_before');
  expect((await call('capture', order_id, {}, 0)).status).toBe(200);
  await firstSent(order_id);
  let turned_away = 0;
  Object.assign(tools, {
    direct: (asked: Parameters<typeof direct>[0]) => {
      if (asked.step !== 'capture') return direct(asked);
      turned_away++;
      return direct({ ...asked, credentials: { api_key: 'invalid-for-captures' } });
    },
  });
  await advance(600);
  Object.assign(tools, { direct });
  expect(turned_away).toBeGreaterThan(0);
  expect(await state(order_id)).toBe('capture_requested');
  await advance(3600);
  expect(await state(order_id)).toBe('capture_successful');
});

test('a merchant whose credentials are refused again and again does not keep the bank from others', async () => {
  const other = await w.otherShop();
  await w.sql(`UPDATE payment.contracts SET enabled = false WHERE provider = 'simulator_b'`);
  await set('invalid-for-a-while');
  await paysWith('151021');
  for (let at = 0; at < 6; at++) {
    expect((await owner.post(`/api/providers/${contract_id}/test`)).at('outcome')).toBe('refused');
    expect((await w.shop.pay()).code).toBe('151021');
  }
  expect((await other.pay()).code).toBe('955555');
  await set('good-at-last');
  await paysWith('955555');
});

test('wrong credentials are refused, each with what is wrong, and nothing is changed', async () => {
  const before = await owner.get('/api/providers');
  const wrong = await owner.post(path(), {
    values: { api_key: ' blank', 'API KEY': 'x', api_token: 'é' },
    reason: 'no',
  });
  expect(wrong.status).toBe(400);
  expect(wrong.text.match(/"field":"[^"]+"/g)).toEqual(
    ['values.api_key', 'values.API KEY', 'values.api_token', 'reason'].map((field) => `"field":"${field}"`),
  );
  for (const values of [undefined, null, 'x', [], {}, { no_such: 'x' }])
    expect((await owner.post(path(), { values, reason })).status).toBe(400);
  expect((await owner.get('/api/providers')).at('contracts.0')).toEqual(before.at('contracts.0'));
});

type Keep = World['service']['tools']['vault']['keepCredentials'];

/** What is answered to new credentials while the vault answers so. */
async function setWhile(api_key: string, answer: (keep: Keep, of: Parameters<Keep>[0]) => Promise<boolean>) {
  const { vault } = w.service.tools;
  const { keepCredentials } = vault;
  Object.assign(vault, { keepCredentials: (of: Parameters<Keep>[0]) => answer(keepCredentials, of) });
  const reply = await owner.post(path(), { values: { api_key }, reason });
  Object.assign(vault, { keepCredentials });
  return [reply.status, reply.say('detail')];
}

const keyKept = async () => (await findCredentials(w.service.tools, { ...whose(), provider: simulator() }))['api_key'];

test.each([
  ['was not reached', () => Promise.reject(new NotDone('the vault did not answer: not_sent'))],
  ['had no database', () => Promise.reject(new DatabaseUnavailable('gone'))],
  ['was sealed', () => Promise.reject(new KeysSealed('locked'))],
  ['said no', () => Promise.resolve(false)],
])('a vault that %s has changed nothing, and that is said', async (_, answer) => {
  const before = await owner.get('/api/providers');
  const said = await setWhile('never-kept', answer);
  expect(said).toEqual([503, expect.stringContaining('nothing was changed')]);
  expect((await owner.get('/api/providers')).at('contracts.0')).toEqual(before.at('contracts.0'));
  expect(await keyKept()).toBe('good-at-last');
});

test('a vault whose answer is lost may have the credentials: the outcome is unknown, and setting them again mends it', async () => {
  const said = await setWhile('invalid-half-known', async (keep, of) => {
    await keep(of);
    throw new Error('the vault did not answer: unknown');
  });
  expect(said).toEqual([500, expect.stringMatching(/may have taken.*set them again/)]);
  expect(await keyKept()).toBe('good-at-last');
  await paysWith('151021');
  await set('good-at-last');
  await paysWith('955555');
});

test('two people who set different credentials at once have both set theirs', async () => {
  const { tools } = w.service;
  const add = (name: string) =>
    withTransaction(tools.db, whose().merchant_account_id, (tx) =>
      changeCredentials(tools, tx, { contract_id, provider: 'simulator', values: { [name]: `value of ${name}` } }),
    );
  await Promise.all(['one', 'two', 'three', 'four'].map(add));
  const kept = await findCredentials(tools, { ...whose(), provider: simulator() });
  expect(Object.keys(kept).toSorted()).toEqual(['api_key', 'four', 'one', 'three', 'two']);
});

test('credentials stand nowhere in clear: no row of either zone, no audit record and no answer holds one', async () => {
  await set('the-secret-of-secrets');
  const { rows } = await everything();
  expect(rows.length).toBeGreaterThan(20);
  for (const form of ['the-secret-of-secrets', Buffer.from('the-secret-of-secrets').toString('hex')])
    expect(rows.filter((row) => row.includes(form))).toEqual([]);
  const [record] = await w.sql<{ detail: object }>(
    `SELECT detail FROM payment.audit WHERE action = 'credentials set' ORDER BY seq DESC LIMIT 1`,
  );
  expect(record?.detail).toMatchObject({ provider: 'simulator', names: ['api_key'] });
  for (const page of ['/api/providers', '/api/audit']) expect((await owner.get(page)).text).not.toContain('the-secret');
});

const whose = () => ({ merchant_account_id: w.account, contract_id });

function simulator() {
  const provider = w.service.tools.providers.get('simulator');
  if (!provider) throw new Error('a sandbox has a simulator');
  return provider;
}

/** Every row of every table, as text. */
async function everything(): Promise<{ readonly rows: readonly string[] }> {
  const tables = await w.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('payment', 'vault')`,
  );
  const rows = [];
  for (const { name } of tables) rows.push(...(await w.sql<{ t: string }>(`SELECT t::text AS t FROM ${name} t`)));
  return { rows: rows.map(({ t }) => t) };
}
