// Who may make which API key: nobody comes by a key that may do more than they may themselves.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invite } from '../../src/backoffice/people/invite.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { findKeyOwner } from '../../src/payment/merchant/store.ts';
import { type Client, textAt } from '../client.ts';
import { florin } from '../command.ts';
import { dataIn, hostedCheckout, open as look } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { PASSWORD, Person, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
let developer: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
  developer = await invited(w, owner, 'developer');
});
afterAll(() => w[Symbol.asyncDispose]());

const reason = 'a test of the keys';

/** The ids of the private keys that can be used, the oldest first. */
async function privateKeys(): Promise<readonly string[]> {
  const rows = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.api_keys
     WHERE kind = 'private' AND revoked_at IS NULL AND merchant_account_id = decode($1, 'hex') ORDER BY id`,
    [w.account],
  );
  return rows.map(({ id }) => id);
}

async function revoked(id: string): Promise<void> {
  expect((await owner.post(`/api/keys/${id}/revoke`, { reason })).status).toBe(200);
}

test('somebody who may not refund comes by no key that may: not by making, not by importing, not by rolling one', async () => {
  const paid = await w.shop.pay();
  const order_id = textAt(paid, 'order_id');
  expect((await developer.post(`/api/orders/${order_id}/refund`, { reason })).status).toBe(403);
  const before = await privateKeys();
  const [first = ''] = before;
  const imported = 'sk_of_the_developer_4711_abcdefgh';
  const tries = [
    await developer.post('/api/keys', { kind: 'private', label: 'everything' }),
    await developer.post('/api/keys', { kind: 'private', label: 'refunds', scopes: ['read', 'refunds'] }),
    await developer.post('/api/keys', { kind: 'private', label: 'payments', scopes: ['payments'] }),
    await developer.post('/api/keys', { kind: 'private', label: 'imported', text: imported }),
    await developer.post(`/api/keys/${first}/roll`, { overlap_hours: 1, reason }),
  ];
  for (const answer of tries) {
    expect([answer.status, answer.at('text')]).toEqual([403, undefined]);
    expect(answer.say('detail')).toMatch(
      /the role developer may not hold a private key with the scope .*(refunds|payments)/,
    );
  }
  expect(await privateKeys()).toEqual(before);
  expect((await w.shop.api('/payment/order', { key: imported })).status).toBe(403);
});

test('a developer makes and rolls a key for reading and notifications, which stays as narrow', async () => {
  const scopes = ['read', 'notifications'];
  const made = await developer.post('/api/keys', { kind: 'private', label: 'reports', scopes });
  expect(made.status).toBe(200);
  expect((await w.shop.api('/payment/order', { key: made.say('text') })).status).toBe(200);
  const rolled = await developer.post(`/api/keys/${made.say('id')}/roll`, { overlap_hours: 0, reason });
  expect(rolled.status).toBe(200);
  const key = rolled.say('text');
  expect((await w.shop.api('/notification', { key })).status).toBe(200);
  const paid = await w.shop.pay();
  const refund = await w.shop.api(`/payment/maintenance/refund/${textAt(paid, 'order_id')}`, { key, body: {} });
  expect([refund.status, refund.at('detail')]).toEqual([
    403,
    'this key does not have the scope refunds, which this route needs: use a key that has it',
  ]);
  const listed = JSON.stringify((await owner.get('/api/keys')).at('keys'));
  expect(listed).toContain(`"label":"reports","scopes":${JSON.stringify(scopes)}`);
  await revoked(rolled.say('id'));
});

test('a key that an owner makes without a word about scopes may do everything, and the audit says so', async () => {
  const made = await owner.post('/api/keys', { kind: 'private', label: 'server' });
  const paid = await w.shop.pay();
  const refund = await w.shop.api(`/payment/maintenance/refund/${textAt(paid, 'order_id')}`, {
    key: made.say('text'),
    body: {},
  });
  expect(refund.status).toBe(200);
  const [row] = await w.sql<{ detail: object }>(
    `SELECT detail FROM payment.audit WHERE action = 'API key created' AND object = $1`,
    [made.say('id')],
  );
  expect(row?.detail).toMatchObject({ kind: 'private', scopes: 'all' });
  await revoked(made.say('id'));
});

test('scopes that are no list are refused beside their field, and a public key has none', async () => {
  for (const scopes of [[], ['everything'], 'read', ['read', 1]])
    expect([
      scopes,
      (await owner.post('/api/keys', { kind: 'private', label: 'wrong', scopes })).at('errors.0.field'),
    ]).toEqual([scopes, 'scopes']);
  const open = await owner.post('/api/keys', { kind: 'public', label: 'page', scopes: ['tokens'] });
  expect(open.at('errors.0.field')).toBe('scopes');
  expect((await developer.post('/api/keys', { kind: 'public', label: 'page' })).status).toBe(200);
});

/** The owner of another account, who was invited into it. */
async function strangerOf(shop: Client): Promise<{ readonly eve: Person; readonly account: string }> {
  const { tools } = w.service;
  const owned = await findKeyOwner(tools.db, sha256(shop.keys.public_key));
  const account = owned?.merchant_account_id ?? '';
  const by = { actor: 'command line', source: 'this machine' };
  const email = `eve-${account}@evil.example`;
  const path = await withTransaction(tools.db, account, (tx) => invite(tools, tx, { email, role: 'owner', by }));
  const eve = new Person(w);
  await eve.post(`/api${path}`, { name: 'Eve', password: PASSWORD });
  for (const { id } of (await eve.get('/api/keys')).at('keys') as readonly { id: string }[])
    await eve.post(`/api/keys/${id}/revoke`, { reason });
  return { eve, account };
}

/** As an operator names keys of an account. */
function named(account: string, lines: string): Promise<string> {
  const file = join(w.data_dir, 'named-keys');
  writeFileSync(file, lines);
  return florin(w, 'account', 'keys', account, '--file', file);
}

test('importing the key of another account’s hosted page changes nothing about that key', async () => {
  const page = await look((await hostedCheckout(w.shop)).url);
  const key = String(dataIn(page).element['publicapikey']);
  const atTheVault = () => w.sql(`SELECT * FROM vault.api_keys WHERE digest = sha256(convert_to($1, 'UTF8'))`, [key]);
  const before = await atTheVault();
  expect(before).toMatchObject([{ page_inputs: false, registered_origins: [] }]);
  const { eve, account } = await strangerOf(await w.otherShop());
  await named(account, key);
  const settings = { page_inputs: true, registered_origins: ['https://evil.example'] };
  expect((await eve.ask('PUT', '/api/settings', settings)).status).toBe(200);
  expect((await eve.post('/api/keys', { kind: 'public', label: 'taken', text: key })).status).toBe(200);
  // else cards could be typed with it in any page, and would be of the account whose page it is
  expect(await atTheVault()).toEqual(before);
});

test('where several merchants are, nobody takes the page key of a shop that moves here before the shop does', async () => {
  const [page_key, server_key] = ['pk_of_a_shop_that_moves_4711', 'sk_of_a_shop_that_moves_4711'];
  const { eve, account } = await strangerOf(await w.otherShop());
  // whatever it is brought as: the text is taken either way
  for (const kind of ['public', 'private']) {
    const taken = await eve.post('/api/keys', { kind, label: 'taken', text: page_key });
    expect([taken.status, taken.say('detail')]).toEqual([403, expect.stringContaining('florin account keys')]);
  }
  const shop = w.account;
  const hash = sha256(server_key);
  expect(await named(shop, `${page_key}\n\nsha256:${hash}\n`)).toMatch(/^0\n.*may import these 2 keys/s);
  expect((await eve.post('/api/keys', { kind: 'public', label: 'taken', text: page_key })).status).toBe(403);
  for (const id of await privateKeys()) await revoked(id);
  for (const { id, kind } of (await owner.get('/api/keys')).at('keys') as readonly { id: string; kind: string }[])
    if (kind === 'public') await owner.post(`/api/keys/${id}/revoke`, { reason });
  expect((await owner.post('/api/keys', { kind: 'public', label: 'page', text: page_key })).status).toBe(200);
  expect((await owner.post('/api/keys', { kind: 'private', label: 'server', text: server_key })).status).toBe(200);
  expect((await owner.get('/api/audit')).text).toContain('API keys named');
  expect((await owner.get('/api/settings')).text).not.toContain(hash);
  const wrong = await named(account, 'short');
  expect(wrong).toContain('Line 1 is no key');
  expect(wrong).not.toContain('short');
  expect(await named('f'.repeat(24), page_key)).toContain('There is no account');
});
