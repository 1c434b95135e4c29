// The audit: one complete record for each thing done, none for what was refused; and every change to the chain is
// found.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEPLOYMENT, verifyChain, writeAudit } from '../../src/backoffice/audit/audit.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { makeKeyText } from '../../src/payment/merchant/keys.ts';
import { totpCode, totpStep } from '../../src/kit/person/totp.ts';
import { chanceOf } from '../chaos/chance.ts';
import { send, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { PASSWORD, Person, type Seen, firstOwner, invited } from './person.ts';
import { fromBase32 } from '../base32.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world({ FLORIN_FAILED_KEYS_PER_MINUTE: '5' });
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

type Line = {
  readonly action: string;
  readonly actor: string;
  readonly source: string;
  readonly result: string;
  readonly object: string;
  readonly reason: string | null;
};
const all = () =>
  w.sql<Line>(
    `SELECT action, actor, source, result, object, reason FROM payment.audit ORDER BY merchant_account_id, seq`,
  );

/** What `work` added to the audit, in all chains. */
async function added(work: () => Promise<unknown>): Promise<readonly Line[]> {
  const counts = (lines: readonly Line[]) => Map.groupBy(lines, (line) => JSON.stringify(line));
  const before = counts(await all());
  await work();
  return (await all()).filter((line) => {
    const same = before.get(JSON.stringify(line));
    return same?.pop() === undefined;
  });
}

const reason = 'for a test of the audit';

test('each thing that is done makes exactly one complete record, what is refused or only looked at makes none', async () => {
  const key = async () => (await owner.post('/api/keys', { kind: 'private', label: 'audit' })).say('id');
  const contract = (await owner.get('/api/providers')).say('contracts.0.id');
  const reader = await invited(w, owner, 'reader');
  const reader_id = (await reader.get('/api/me')).say('person.id');
  const leaver = await invited(w, owner, 'operator', 'leaver@shop.example');
  await owner.post(`/api/team/${(await leaver.get('/api/me')).say('person.id')}/remove`, { reason });
  const back = (await owner.post('/api/team/invitations', { email: 'leaver@shop.example', role: 'reader' })).say(
    'link',
  );
  const wrong = 'wrong wrong wrong';
  const made: string[] = [];
  const url = 'https://hooks.shop.example/florin';
  const hook = () => owner.post('/api/notifications/endpoints', { url, secret: 'used-already' });
  let endpoint = '';
  const bad = {
    'x-api-key': makeKeyText(w.service.tools.chance, { letters: 'FL', kind: 'private', environment: 'sandbox' }),
  };
  const steps: readonly (readonly [action: string | undefined, work: () => Promise<unknown>])[] = [
    ['API key created', async () => made.push(await key())],
    ['endpoint created', async () => (endpoint = (await hook()).say('id'))],
    [undefined, () => owner.post(`/api/notifications/endpoints/${endpoint}/activate`)],
    [
      'endpoint switched on',
      async () => {
        await w.sql(`UPDATE payment.endpoints SET state = 'off', failing_since = now()`);
        await owner.post(`/api/notifications/endpoints/${endpoint}/activate`);
      },
    ],
    ['API key rolled', () => owner.post(`/api/keys/${made[0]}/roll`, { overlap_hours: 0, reason })],
    ['API key revoked', async () => owner.post(`/api/keys/${await newest()}/revoke`, { reason })],
    [undefined, () => owner.post(`/api/keys/${made[0]}/revoke`, { reason })],
    ['contract changed', () => owner.ask('PUT', `/api/providers/${contract}`, { priority: 3, reason })],
    [undefined, () => owner.ask('PUT', `/api/providers/${contract}`, { priority: 0, reason })],
    ['contract created', () => owner.post('/api/providers', { name: 'second', provider: 'simulator', reason })],
    [
      'credentials set',
      () => owner.post(`/api/providers/${contract}/credentials`, { values: { api_key: 'a-key' }, reason }),
    ],
    [undefined, () => owner.post(`/api/providers/${contract}/credentials`, { values: { other: 'a-key' }, reason })],
    ['test call', () => owner.post(`/api/providers/${contract}/test`)],
    ['settings changed', () => owner.ask('PUT', '/api/settings', { wait_capture: 5, display_save: true })],
    [undefined, () => owner.ask('PUT', '/api/settings', { wait_capture: 5 })],
    [undefined, () => owner.ask('PUT', '/api/settings', { wait_capture: 500 })],
    ['role or right changed', () => owner.ask('PUT', `/api/team/${reader_id}`, { role: 'operator', reason })],
    ['person invited', () => owner.post('/api/team/invitations', { email: 'later@shop.example', role: 'reader' })],
    ['capture requested', async () => owner.post(`/api/orders/${await order()}/capture`, { amount: '1.00', reason })],
    ['cancel requested', async () => owner.post(`/api/orders/${await order()}/cancel`, { reason })],
    ['cancel requested', async () => owner.post(`/api/orders/${await order(ASKED)}/cancel`, { reason })],
    [undefined, async () => owner.post(`/api/orders/${await order(ASKED)}/capture`, { amount: '1.00', reason })],
    ['operator login', () => new Person(w).logIn('reader@shop.example')],
    ['failed operator login', () => new Person(w).logIn('reader@shop.example', 'wrong wrong wrong')],
    ['failed operator login', () => new Person(w).logIn('nobody@shop.example', 'wrong wrong wrong')],
    ['failed operator login', () => reader.post('/api/me/password', { password: wrong, new_password: 'another one' })],
    ['failed operator login', () => reader.post('/api/me/totp', { password: wrong })],
    ['MFA changed', () => enrol(reader)],
    ['failed operator login', () => reader.ask('DELETE', '/api/me/totp', { password: PASSWORD, code: '000000' })],
    ['failed operator login', () => new Person(w).logIn('leaver@shop.example')],
    // the address of somebody who was removed makes a login of its own: nobody failed at one
    [
      undefined,
      () => new Person(w).post(`/api/welcome/${back.split('/').at(-1)}`, { name: 'Lea', password: 'too short' }),
    ],
    ['session ended', () => owner.ask('DELETE', `/api/team/${reader_id}/sessions`)],
    ['member removed', () => owner.post(`/api/team/${reader_id}/remove`, { reason })],
    [undefined, () => owner.get('/api/audit')],
    [undefined, () => owner.get('/api/audit/verify')],
    ['repeated failed API authentication', () => failing(bad)],
  ];
  for (const [action, work] of steps) {
    const lines = await added(work);
    expect(
      lines.map((line) => line.action),
      String(work),
    ).toEqual(action === undefined ? [] : [action]);
    for (const line of lines)
      expect([line.actor, line.source, line.result, line.object].filter((part) => part === '')).toEqual([]);
  }
  const text = JSON.stringify(await w.sql('SELECT * FROM payment.audit'));
  expect(text).not.toMatch(/FL_PR_|FL_PUB_|correct horse|wrong wrong|used-already/);
});

const ASKED = { card_number: '4000002760003184', authentication_indicator: 'force_3ds' };

/** An authorized order, or one whose payer is at the bank. */
async function order({ card_number, ...fields }: { card_number?: string } = {}): Promise<string> {
  const reply = await w.shop.pay({ ...(card_number && { card_number }) }, { operation_type: 'authorize', ...fields });
  return textAt(reply, 'order_id');
}

/** The active key that was made last. */
async function newest(): Promise<string> {
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.api_keys WHERE revoked_at IS NULL AND label = 'audit' ORDER BY id DESC LIMIT 1`,
  );
  return row?.id ?? '';
}

async function enrol(person: Person): Promise<void> {
  const offer = await person.post('/api/me/totp', { password: PASSWORD });
  const [row] = await w.sql<{ s: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 AS s');
  await person.post('/api/me/totp/confirm', { code: totpCode(fromBase32(offer.say('secret')), totpStep(row?.s ?? 0)) });
}

/** More than a minute may have; however many follow, the minute is one record. */
async function failing(headers: Readonly<Record<string, string>>): Promise<void> {
  for (let i = 0; i < 12; i++) await send(`${w.service.addresses.base_url}/payment/order`, { key: null, headers });
  await expect.poll(async () => (await all()).some(({ action }) => action.startsWith('repeated'))).toBe(true);
}

test('a card number is refused in everything that people name or write and that is kept for good', async () => {
  const number = '4242 4242 4242 4242';
  const value = `the payer of ${number}`;
  const contract = { name: number.replaceAll(' ', '_'), provider: 'simulator', reason };
  const endpoint = { url: 'https://shop.example/florin', description: value };
  const listed = { list: 'block', subject: 'customer', value, reason };
  const risk = (rule: object) => owner.post('/api/risk/publish', { base_version: 0, reason, rules: [rule] });
  const field = { kind: 'field', name: 'a rule', of: 'customer_id', values: ['1'] };
  const routing = (rule: object) =>
    owner.post('/api/routing/publish', {
      base_version: 0,
      reason,
      document: { rules: [{ then: { order: ['simulator'] }, ...rule }] },
    });
  const sign_on = { issuer: 'https://id.shop.example', client_id: value, domains: ['shop.example'], passwords: true };
  const address = { email: `${number.replaceAll(' ', '-')}@shop.example`, role: 'reader' };
  const tries: Readonly<Record<string, Promise<Seen>>> = {
    email: owner.post('/api/team/invitations', address),
    'email of a link': owner.post('/api/team/invitations', { ...address, by: 'link' }),
    page_name: owner.ask('PUT', '/api/settings', { page_name: value }),
    page_note: owner.ask('PUT', '/api/settings', { page_note: value }),
    description: owner.post('/api/notifications/endpoints', endpoint),
    name: owner.post('/api/providers', contract),
    value: owner.post('/api/risk/lists', listed),
    'rules[0].name': risk({ ...field, name: value }),
    'rules[0].values[0]': risk({ ...field, values: [value] }),
    'routing name': routing({ name: value }),
    'routing values': routing({ name: 'a rule', when: { customer_email: [value] } }),
    client_id: owner.ask('PUT', '/api/sign-on', { ...sign_on, client_secret: 'x'.repeat(16), reason }),
  };
  for (const [name, trying] of Object.entries(tries)) {
    const refused = await trying;
    expect([name, refused.status, refused.text]).toEqual([name, 400, expect.stringContaining('holds a card number')]);
  }
  const kept = await owner.get(`/api/orders/export?provider=${encodeURIComponent(number)}`);
  expect(kept.status).toBe(200);
  for (const table of ['audit', 'risk_versions', 'route_versions', 'merchant_accounts', 'endpoints', 'contracts'])
    expect([
      table,
      (await w.sql<{ text: string }>(`SELECT t::text AS text FROM payment.${table} t`)).filter(({ text }) =>
        /4242[ _-]4242[ _-]4242/.test(text),
      ),
    ]).toEqual([table, []]);
});

test('a card number that somebody types is in no record: as a reason it is refused, as a search it is named', async () => {
  const id = (await owner.get('/api/keys')).say('keys.0.id');
  for (const number of ['4242424242424242', '4242 4242 4242 4242', 'no 1 4242-4242-4242-4242, 12/34']) {
    const refused = await owner.post(`/api/keys/${id}/roll`, { overlap_hours: 1, reason: `the payer of ${number}` });
    expect([number, refused.at('errors.0.field')]).toEqual([number, 'reason']);
    const file = await owner.get(`/api/orders/export?search=${encodeURIComponent(number)}`);
    expect(file.status).toBe(200);
  }
  const rows = await w.sql<{ text: string }>(`SELECT a::text AS text FROM payment.audit a`);
  expect(rows.filter(({ text }) => /4242[ -]?4242[ -]?4242/.test(text))).toEqual([]);
  expect(rows.some(({ text }) => text.includes('(a card number)'))).toBe(true);
});

test('the audit is read page by page, taken out whole, and its hashes can be checked with nothing of ours', async () => {
  const first = await owner.get('/api/audit');
  expect(first.at('records.0.action')).toBeTypeOf('string');
  const only = await owner.get('/api/audit?action=settings%20changed');
  expect(only.at('records.0.detail.is.wait_capture')).toBe(5);
  const verdict = await owner.get('/api/audit/verify');
  expect(verdict.at('whole')).toBe(true);
  const file = await owner.get('/api/audit/export?format=jsonl');
  expect(file.text.split('\n').filter(Boolean).length).toBeGreaterThanOrEqual(Number(verdict.at('records')));
  const rows = await w.sql<{ hash: Buffer; text: string }>(
    `SELECT hash, jsonb_build_array(encode(merchant_account_id, 'hex'), seq, extract(epoch FROM at)::numeric(20,3)::text, actor, action, object, result, source, reason, detail)::text AS text
     FROM payment.audit WHERE merchant_account_id = (SELECT merchant_account_id FROM payment.members LIMIT 1) ORDER BY seq`,
  );
  let hash = createHash('sha256').update('').digest();
  for (const row of rows) {
    hash = createHash('sha256').update(hash).update(row.text).digest();
    expect(row.hash.toString('hex')).toBe(hash.toString('hex'));
  }
});

test('nobody but the superuser can change a record, and of 1,000 random changes, deletions and reorderings each is found', async () => {
  const seed = 20_260_000 + (process.pid % 1000);
  const chance = chanceOf(String(seed), 'audit');
  const account = '0123456789abcdef01234567';
  const { db } = w.service.tools;
  const who = { actor: 'ada@shop.example', source: '127.0.0.1' };
  for (let i = 0; i < 20; i++)
    await withTransaction(db, account, (tx) =>
      writeAudit(tx, who, { action: 'capture requested', object: `order ${i % 7}`, reason: 'why', detail: { i } }),
    );
  await expect(
    withTransaction(db, account, (tx) =>
      tx.run('try', `DELETE FROM payment.audit WHERE merchant_account_id = '\\x${account}'`),
    ),
  ).rejects.toThrow(/permission denied|change refused/);
  expect(await verifyChain(db, account)).toMatchObject({ whole: true, records: 20 });
  await w.sql(`ALTER TABLE payment.audit DISABLE TRIGGER USER`);
  await w.sql(`CREATE TABLE payment.kept AS SELECT * FROM payment.audit WHERE merchant_account_id = '\\x${account}'`);
  const mine = `merchant_account_id = '\\x${account}'`;
  const restore = `DELETE FROM payment.audit WHERE ${mine}; INSERT INTO payment.audit SELECT * FROM payment.kept`;
  const any = () => chance.between(1, 20);
  const changes: readonly (() => string)[] = [
    () => `UPDATE payment.audit SET actor = actor || 'x' WHERE ${mine} AND seq = ${any()}`,
    () => `UPDATE payment.audit SET detail = detail || '{"i": -1}' WHERE ${mine} AND seq = ${any()}`,
    () => `UPDATE payment.audit SET at = at + interval '1 millisecond' WHERE ${mine} AND seq = ${any()}`,
    () => `UPDATE payment.audit SET reason = NULL WHERE ${mine} AND seq = ${any()}`,
    () => `UPDATE payment.audit SET hash = sha256(hash) WHERE ${mine} AND seq = ${any()}`,
    () => `DELETE FROM payment.audit WHERE ${mine} AND seq = ${any()}`,
    () => `DELETE FROM payment.audit WHERE ${mine} AND seq >= ${any()}`,
    () => {
      const at = chance.between(1, 19);
      return `UPDATE payment.audit SET seq = -seq WHERE ${mine} AND seq IN (${at}, ${at + 1}); UPDATE payment.audit SET seq = ${2 * at + 1} + seq WHERE ${mine} AND seq < 0`;
    },
  ];
  let found = 0;
  for (let i = 0; i < 1000; i++) {
    const change = changes[i % changes.length]?.() ?? '';
    await w.sql(change);
    const verdict = await verifyChain(db, account);
    expect([seed, change, verdict.whole]).toEqual([seed, change, false]);
    found++;
    await w.sql(restore);
  }
  expect(found).toBe(1000);
  expect(await verifyChain(db, account)).toMatchObject({ whole: true, records: 20 });
  expect(await verifyChain(db, DEPLOYMENT)).toMatchObject({ whole: true });
});
