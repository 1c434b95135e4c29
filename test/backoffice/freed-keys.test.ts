// The text of a key that the wrong account imported: the operator frees it, and the account whose it is has it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteFirstOwner } from '../../src/backoffice/people/invite.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { findKeyOwner } from '../../src/payment/merchant/store.ts';
import { until } from '../client.ts';
import { florin } from '../command.ts';
import { type World, world } from '../world.ts';
import { PASSWORD, Person, firstOwner } from './person.ts';

let w: World;
let owner: Person;
let shop: string;
/** The owner of the account that imports what is not its own. */
let eve: Person;
let wrong: string;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
  shop = w.account;
  const found = await findKeyOwner(w.service.tools.db, sha256((await w.otherShop()).keys.public_key));
  wrong = found?.merchant_account_id ?? '';
  eve = new Person(w);
  const path = await inviteFirstOwner(w.service.tools, wrong);
  await eve.post(`/api${path}`, { name: 'Eve', email: 'eve@other.example', password: PASSWORD });
  // room for keys that are imported
  for (const person of [owner, eve]) for (const id of await keysOf(person)) await revoke(person, id);
});
afterAll(() => w[Symbol.asyncDispose]());

type Key = { readonly id: string; readonly revoked_at: string | null };

async function keysOf(person: Person): Promise<readonly string[]> {
  const keys = (await person.get('/api/keys')).at('keys') as readonly Key[];
  return keys.filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id);
}

const reason = 'a test of freed keys';
const revoke = (person: Person, id: string) => person.post(`/api/keys/${id}/revoke`, { reason });

function file(lines: string): string {
  const path = join(w.data_dir, 'keys-of-a-file');
  writeFileSync(path, lines);
  return path;
}
const name = (account: string, lines: string) => florin(w, 'account', 'keys', account, '--file', file(lines));
const free = (line: string, ...more: readonly string[]) =>
  florin(w, 'account', 'free-key', '--file', file(line), ...more);
const bring = (person: Person, text: string) => person.post('/api/keys', { kind: 'private', label: 'server', text });

test('a text that the wrong account imported is ended, freed, and imported by the account whose it is', async () => {
  const text = 'sk_of_a_shop_that_was_named_wrongly';
  await name(wrong, text);
  const taken = await bring(eve, text);
  expect(taken.status).toBe(200);
  await name(shop, text);
  expect((await bring(owner, text)).at('errors.0.field')).toBe('text');

  expect(await free(text)).toMatch(new RegExp(`^0\n.*${wrong} .*ends now`, 's'));
  // a worker takes it from the vault first: it never is a key of two accounts
  await until(async () => ((await keysOf(eve)).includes(taken.say('id')) ? undefined : true));
  expect((await bring(owner, text)).at('errors.0.field')).toBe('text');
  expect(await free(`sha256:${sha256(text)}`)).toMatch(/^0\n.*it is free/s);
  expect(await free(text)).toMatch(/^1\n.*No account has/s);

  // it is not named for the wrong account any more
  expect((await bring(eve, text)).status).toBe(403);
  expect((await bring(owner, text)).status).toBe(200);
  const client = w.client({ ...w.keys, private_key: text });
  expect((await client.api('/payment/order')).status).toBe(200);
  expect((await findKeyOwner(w.service.tools.db, sha256(text)))?.merchant_account_id).toBe(shop);
  const [at_the_vault] = await w.sql<{ account: string }>(
    `SELECT encode(merchant_account_id::bytea, 'hex') AS account FROM vault.api_keys WHERE digest = decode($1, 'hex')`,
    [sha256(text)],
  );
  expect(at_the_vault?.account).toBe(shop);

  // the wrong account keeps the line of its key, and reads in its audit what became of it
  const keys = (await eve.get('/api/keys')).at('keys') as readonly Key[];
  expect(keys.find(({ id }) => id === taken.say('id'))?.revoked_at).not.toBe(null);
  const audit = JSON.stringify((await eve.get('/api/audit')).at('records'));
  for (const action of ['API key ended by an operator', 'API key freed']) expect(audit).toContain(action);
});

test('a key that its account has used is freed only where the operator says that they know', async () => {
  const text = 'sk_of_a_shop_that_uses_its_own_key';
  await name(shop, text);
  const made = await bring(owner, text);
  expect(made.status).toBe(200);
  const client = w.client({ ...w.keys, private_key: text });
  expect((await client.api('/payment/order')).status).toBe(200);
  await until(async () => {
    const [row] = await w.sql(
      `SELECT 1 FROM payment.api_keys WHERE id = decode($1, 'hex') AND last_used_at > '-infinity'`,
      [made.say('id')],
    );
    return row;
  });
  for (const revoked of [false, true]) {
    if (revoked) await revoke(owner, made.say('id'));
    const refused = await free(text);
    expect(refused).toMatch(/^1\n.*used this key, the last time at .*--used/s);
    expect(refused).not.toContain(text);
  }
  expect((await bring(owner, text)).at('errors.0.field')).toBe('text');
  expect(await free(text, '--used')).toMatch(/^0\n.*it is free/s);
});
