// The inbox for messages of providers, with a provider of the test's own in the place of the simulator: several items a
// request, each proved by itself; what they mean is found by our reference, by the provider's, or by the
// authorization's.
import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimWaitingEvents } from '../../src/payment/settlement/store.ts';
import type { Match, News, Notice, Notices, SignatureRecipe } from '../../src/provider/notices.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { addressOf, contractOf } from './mail.ts';

let w: World;
let owner: Person;
let contract_id: string;
const SECRET = 'aa'.repeat(32);
const reason = 'a test of the inbox';

type Item = {
  readonly ref: string;
  readonly secret?: string;
  readonly of?: Readonly<Record<string, string>>;
  readonly match?: Partial<Omit<Match, 'amount_minor'>> & { readonly amount?: number };
  readonly news: News;
  readonly proof?: 'certificate';
};

const notices: Notices = {
  headers: [],
  accepted: { status: 202, body: '[accepted]' },
  open: (raw) => {
    const text = Buffer.from(raw).toString('latin1').split('\n')[0] ?? '';
    const items: readonly { readonly text: string; readonly given: string }[] = JSON.parse(text).items;
    return items.map((one) => noticeOf(one));
  },
};

function noticeOf({ text, given }: { readonly text: string; readonly given: string }): Notice {
  const { ref, of = {}, match, news, proof }: Item = JSON.parse(text);
  const hmac: SignatureRecipe = {
    kind: 'hmac',
    secret: 'message_key',
    secret_form: 'hex',
    over: Buffer.from(text),
    given: [given],
    given_form: 'base64',
  };
  const { amount, ...rest } = match ?? {};
  const none = {
    kind: 'authorize',
    ours: null,
    reference: null,
    authorization_reference: null,
    currency: null,
  } as const;
  return {
    event_ref: ref,
    of,
    news,
    proof: proof ? { kind: 'certificate', url: 'https://x.example/', host: 'x', over: [text], given } : hmac,
    match: match ? { ...none, ...rest, amount_minor: amount === undefined ? null : BigInt(amount) } : null,
  };
}

beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
  const { tools } = w.service;
  const simulator = tools.providers.get('simulator');
  if (!simulator) throw new Error('a sandbox has a simulator');
  const credentials = [
    ...simulator.credentials,
    { name: 'account', required: false, use: 'send', help: '' },
    { name: 'message_key', required: true, use: 'check', help: '' },
  ] as const;
  Object.assign(tools, {
    providers: new Map([...tools.providers, ['simulator', { ...simulator, credentials, notices }]]),
  });
  contract_id = await contractOf(w);
  await set({ message_key: SECRET, account: 'ours' });
});
afterAll(() => w[Symbol.asyncDispose]());

const set = async (values: Readonly<Record<string, string | null>>) =>
  owner.post(`/api/providers/${contract_id}/credentials`, { values, reason });

function bodyOf(items: readonly Item[], tail = ''): Buffer {
  const signed = items.map(({ secret = SECRET, ...item }) => {
    const text = JSON.stringify(item);
    return { text, given: createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('base64') };
  });
  return Buffer.concat([Buffer.from(JSON.stringify({ items: signed })), Buffer.from(tail, 'latin1')]);
}
const post = async (body: Buffer) =>
  fetch(await addressOf(w), { method: 'POST', body, headers: { 'content-type': 'application/json' } });
const tell = async (...items: readonly Item[]) => (await post(bodyOf(items))).status;

type Row = { readonly state: string; readonly reason: string | null; readonly order_id: string | null };
const find = async (ref: string) =>
  (
    await w.sql<Row>(
      `SELECT state, reason, encode(order_id, 'hex') AS order_id FROM payment.provider_events WHERE event_ref = $1`,
      [ref],
    )
  )[0];
const ended = (ref: string) =>
  until(async () => {
    const row = await find(ref);
    return row && row.state !== 'received' ? row : undefined;
  });

const OTHER = 'bb'.repeat(32);
const LATER: News = { kind: 'not_understood' };
let orders = 0;
const paid = async (card_number = '4242424242424242', given: object = {}) => {
  const fields = {
    operation_type: 'authorize',
    amount: '25.00',
    currency: 'EUR',
    order_merchant_id: `inbox-${++orders}`,
  };
  const token = await w.shop.token({ card_number });
  return textAt(await w.shop.order({ ...fields, token, ...given }, { prefer: 'wait=5' }), 'order_id');
};
const capture = async (order_id: string, amount: string) =>
  w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: { amount }, headers: { prefer: 'wait=5' } });
const operations = (order_id: string) =>
  w.sql<{ id: string; kind: string; provider_ref: string; amount: number; state: string }>(
    `SELECT encode(id, 'hex') AS id, kind, provider_ref, amount_minor::int AS amount, state
     FROM payment.operations WHERE order_id = decode($1, 'hex') ORDER BY created_at, id`,
    [order_id],
  );

test('the good items of a batch are taken, a bad one is stored nowhere, and the answer is as the provider wants it', async () => {
  const body = bodyOf([
    { ref: 'good 1', news: LATER },
    { ref: 'bad', news: LATER, secret: OTHER },
    { ref: 'good 2', news: LATER },
  ]);
  const reply = await post(body);
  expect([reply.status, await reply.text()]).toEqual([202, '[accepted]']);
  expect(await ended('good 1')).toMatchObject({ state: 'parked', reason: 'not understood' });
  expect(await ended('good 2')).toMatchObject({ state: 'parked' });
  expect(await find('bad')).toBeUndefined();
  // a forged item must not take the place of the true one
  expect(await tell({ ref: 'bad', news: LATER })).toBe(202);
  expect(await ended('bad')).toMatchObject({ state: 'parked' });
});

test('a message without one item that is proved is refused', async () => {
  expect(await tell({ ref: 'lone', news: LATER, secret: OTHER })).toBe(403);
  expect(await tell()).toBe(403);
  expect(await find('lone')).toBeUndefined();
});

test('a proof that cannot be told now is asked for again', async () => {
  Object.assign(w.service.tools, { certificates: { isSignedUnder: async () => undefined } });
  expect(await tell({ ref: 'certified', news: LATER, proof: 'certificate' })).toBe(503);
  expect(await find('certified')).toBeUndefined();
});

test('the bytes are kept as they came, whatever they are', async () => {
  const body = bodyOf([{ ref: 'raw', news: LATER }], '\n\x00\xff\xfe \x80');
  expect((await post(body)).status).toBe(202);
  const [row] = await w.sql<{ body: Buffer }>(`SELECT body FROM payment.provider_events WHERE event_ref = 'raw'`);
  expect(row?.body.equals(body)).toBe(true);
});

test('while one secret replaces the other both prove; a third waits for the older to go; a removed one proves nothing', async () => {
  expect((await set({ message_key: OTHER })).status).toBe(200);
  expect(await tell({ ref: 'old secret', news: LATER })).toBe(202);
  expect(await tell({ ref: 'new secret', news: LATER, secret: OTHER })).toBe(202);
  const third = await set({ message_key: 'cc'.repeat(32) });
  expect([third.status, third.text]).toEqual([400, expect.stringContaining('remove the older one first')]);
  const removed = await set({ message_key: null });
  expect(removed.status).toBe(200);
  expect(await tell({ ref: 'removed', news: LATER })).toBe(403);
  expect(await tell({ ref: 'kept', news: LATER, secret: OTHER })).toBe(202);
  expect((await set({ message_key: null })).status).toBe(200);
  expect(await tell({ ref: 'none', news: LATER, secret: OTHER })).toBe(403);
  expect((await set({ message_key: SECRET })).status).toBe(200);
  const audit = await w.sql(
    `SELECT action FROM payment.audit WHERE detail->'names' = '["message_key"]' ORDER BY seq DESC LIMIT 5`,
  );
  expect(audit.map(({ action }) => action)).toEqual([
    'credentials set',
    'credentials removed',
    'credentials removed',
    'credentials set',
  ]);
});

test('a secret that proves messages never goes to the vault; a credential that is sent does, and is removed there too', async () => {
  const { vault } = w.service.tools;
  const { keepCredentials } = vault;
  const kept: unknown[] = [];
  Object.assign(vault, {
    keepCredentials: async (of: Parameters<typeof keepCredentials>[0]) => {
      kept.push(of.values);
      return keepCredentials(of);
    },
  });
  await set({ message_key: OTHER });
  await set({ message_key: null });
  expect(kept).toEqual([]);
  await set({ api_key: 'sent' });
  await set({ api_key: null });
  Object.assign(vault, { keepCredentials });
  expect(kept).toEqual([{ account: 'ours', api_key: 'sent' }, { account: 'ours' }]);
  await set({ message_key: SECRET });
  await set({ message_key: null });
  const shown = await owner.get('/api/providers');
  expect(shown.text).not.toContain(SECRET);
});

test('a message of another account at the provider is kept and moves nothing', async () => {
  const order_id = await paid('4000009901000110');
  const [asked] = await operations(order_id);
  const ours = { order_id, operation_id: asked?.id ?? '' };
  const declined = {
    kind: 'declined',
    result: 'issuer_declined',
    reference: null,
    provider_code: '',
    provider_text: '',
  } as const;
  expect(await tell({ ref: 'theirs', of: { account: 'others' }, match: { ours }, news: declined })).toBe(202);
  expect(await ended('theirs')).toMatchObject({ state: 'parked', reason: 'tells of another account at the provider' });
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_requested');
  expect(await tell({ ref: 'ours', of: { account: 'ours' }, match: { ours }, news: declined })).toBe(202);
  expect(await ended('ours')).toMatchObject({ state: 'applied', order_id });
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_declined');
});

test('a message that names an account which the contract does not say is of another one', async () => {
  expect(await tell({ ref: 'unsaid', of: { not_set: 'ours' }, news: { kind: 'look' } })).toBe(202);
  expect(await ended('unsaid')).toMatchObject({ state: 'parked', reason: 'tells of another account at the provider' });
});

test('an event whose name no table keeps is kept under one of its bytes, and moves nothing', async () => {
  const names = ['', 'x'.repeat(256), 'a\0b'];
  const before = await w.sql(`SELECT event_ref FROM payment.provider_events WHERE event_ref LIKE 'unnamed_%'`);
  for (const ref of names) expect(await tell({ ref, news: { kind: 'nothing' } })).toBe(202);
  const kept = await w.sql<{ reason: string }>(
    `SELECT state, reason FROM payment.provider_events WHERE event_ref LIKE 'unnamed_%'`,
  );
  expect([before, kept]).toEqual([[], names.map(() => ({ state: 'parked', reason: 'has no name that can be kept' }))]);
});

test('an order that is not ours, or nothing that can be matched, is parked', async () => {
  const ours = { order_id: '0'.repeat(24), operation_id: '0'.repeat(24) };
  const foreign = textAt(await (await w.otherShop()).pay(), 'order_id');
  await tell(
    { ref: 'unknown', match: { ours }, news: { kind: 'look' } },
    { ref: 'foreign', match: { ours: { ...ours, order_id: foreign } }, news: { kind: 'look' } },
    { ref: 'no id', match: { ours: { order_id: "'; --", operation_id: '' } }, news: { kind: 'look' } },
    { ref: 'nowhere', match: { reference: 'pay_of_nobody' }, news: { kind: 'look' } },
    { ref: 'names none', news: { kind: 'look' } },
    { ref: 'nothing', news: { kind: 'nothing' } },
  );
  for (const ref of ['unknown', 'foreign', 'no id', 'nowhere'])
    expect([ref, await ended(ref)]).toEqual([ref, { state: 'parked', reason: 'no such operation', order_id: null }]);
  expect(await ended('names none')).toMatchObject({ state: 'parked', reason: 'names no operation' });
  expect(await ended('nothing')).toMatchObject({ state: 'ignored' });
});

test('a parked message is shown with its text, and a person sets it aside', async () => {
  expect(await tell({ ref: 'shown 4242424242424242', news: LATER })).toBe(202);
  await ended('shown 4242424242424242');
  const shown = await owner.get('/api/parked-messages');
  expect(shown.at('messages.0')).toMatchObject({ contract: 'simulator', reason: 'not understood', order_id: null });
  expect(JSON.stringify(shown.at('messages.0.text'))).not.toContain('4242424242424242');
  const path = `/api/parked-messages/${contract_id}/set-aside`;
  const aside = await owner.post(path, { event_ref: 'shown 4242424242424242', reason });
  expect([aside.status, aside.text.includes('shown 4242')]).toEqual([200, false]);
  expect((await owner.post(path, { event_ref: 'shown 4242424242424242', reason })).status).toBe(404);
  expect((await owner.get('/api/audit')).text).toContain('message set aside');
});

test("an operation is found by the provider's reference of it, or by that of the authorization with kind and amount", async () => {
  const order_id = await paid();
  await capture(order_id, '10.00');
  await capture(order_id, '5.00');
  await capture(order_id, '5.00');
  const [authorization, ten, five] = await operations(order_id);
  expect([ten?.amount, five?.amount, five?.state]).toEqual([1000, 500, 'successful']);
  const failed: News = { kind: 'corrected', result: 'capture_declined', reference: null };
  const under = authorization?.provider_ref ?? '';
  await tell({ ref: 'more', match: { kind: 'capture', authorization_reference: under, amount: 500 }, news: failed });
  expect(await ended('more')).toMatchObject({ state: 'parked', reason: 'more than one operation fits', order_id });
  await tell({ ref: 'other', match: { kind: 'capture', authorization_reference: under, amount: 999 }, news: failed });
  expect(await ended('other')).toMatchObject({ state: 'parked', reason: 'no such operation' });
  // a capture's own reference is no authorization's
  const own = five?.provider_ref ?? '';
  await tell({ ref: 'beside', match: { kind: 'capture', authorization_reference: own, amount: 1000 }, news: failed });
  expect(await ended('beside')).toMatchObject({ state: 'parked', reason: 'no such operation' });
  const ours = { order_id, operation_id: ten?.id ?? '' };
  await tell({ ref: 'not its own', match: { kind: 'capture', ours }, news: { ...failed, reference: own } });
  expect(await ended('not its own')).toMatchObject({
    state: 'parked',
    reason: 'a correction of what it did not do under that reference',
  });
  await tell({ ref: 'amount', match: { kind: 'capture', authorization_reference: under, amount: 1000 }, news: failed });
  expect(await ended('amount')).toMatchObject({ state: 'applied', order_id });
  await tell({ ref: 'own', match: { kind: 'capture', reference: five?.provider_ref ?? '' }, news: failed });
  expect(await ended('own')).toMatchObject({ state: 'applied', order_id });
  expect((await operations(order_id)).map(({ state }) => state)).toEqual([
    'successful',
    'declined',
    'declined',
    'successful',
  ]);
});

test('a message that an authorization lapsed which never held is for a person to look at', async () => {
  const order_id = await paid('4000000000000002');
  const [refused] = await operations(order_id);
  const ours = { order_id, operation_id: refused?.id ?? '' };
  await tell({ ref: 'lapse', match: { ours }, news: { kind: 'lapsed' } });
  expect([refused?.state, await ended('lapse')]).toMatchObject([
    'declined',
    { state: 'parked', reason: 'a lapse of an authorization that does not hold', order_id },
  ]);
});

test('a look makes recovery ask now; of what has ended it asks nothing', async () => {
  const order_id = await paid('4000009901000110');
  const [asked] = await operations(order_id);
  const ours = { order_id, operation_id: asked?.id ?? '' };
  const due = `SELECT due_at > now() + interval '30 min' AS later FROM payment.operations WHERE id = decode($1, 'hex')`;
  await w.sql(`UPDATE payment.operations SET due_at = now() + interval '1 hour' WHERE id = decode($1, 'hex')`, [
    asked?.id,
  ]);
  await tell({ ref: 'look', match: { ours }, news: { kind: 'look' } });
  expect(await ended('look')).toMatchObject({ state: 'applied' });
  expect((await w.sql(due, [asked?.id]))[0]).toEqual({ later: false });
  const done = await paid();
  const [over] = await operations(done);
  await tell({
    ref: 'late look',
    match: { ours: { order_id: done, operation_id: over?.id ?? '' } },
    news: { kind: 'look' },
  });
  expect(await ended('late look')).toMatchObject({ state: 'ignored', reason: 'it has ended' });
});

test('a call that is under way keeps its lease, whatever is told meanwhile', async () => {
  const order_id = await paid('4000009901000110');
  const [asked] = await operations(order_id);
  const at = async () =>
    (await w.sql(`SELECT due_at FROM payment.operations WHERE id = decode($1, 'hex')`, [asked?.id]))[0];
  for (const [ref, change] of [
    ['soon', `due_at = now() + interval '15 s'`],
    ['first call', `due_at = now() + interval '1 hour', state = 'requested', waits_for = 'call'`],
  ] as const) {
    // the worker may have been at it since before the change, and then says when it looks again: a second time it is
    // not
    const kept = async (time: number): Promise<boolean> => {
      await w.sql(`UPDATE payment.operations SET ${change} WHERE id = decode($1, 'hex')`, [asked?.id]);
      const before = await at();
      const name = `${ref} ${time}`;
      await tell({ ref: name, match: { ours: { order_id, operation_id: asked?.id ?? '' } }, news: { kind: 'look' } });
      await ended(name);
      return isDeepStrictEqual(await at(), before);
    };
    expect((await kept(1)) || (await kept(2)), ref).toBe(true);
  }
});

test('two accounts, and two contracts, with one event id do not touch rows of each other', async () => {
  const [other] = await w.sql<{ account: string; id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS account, encode(id, 'hex') AS id FROM payment.contracts
     WHERE merchant_account_id <> decode($1, 'hex') LIMIT 1`,
    [w.account],
  );
  const second = await contractOf(w, 'simulator_b');
  const mine = w.account;
  for (const [account, contract] of [
    [mine, contract_id],
    [mine, second],
    [other?.account, other?.id],
  ])
    await w.sql(
      `INSERT INTO payment.provider_events (provider, contract_id, event_ref, merchant_account_id, body, received_at, looked_at)
       VALUES ('nobody', decode($1, 'hex'), 'the same', decode($2, 'hex'), '', now(), 'epoch')`,
      [contract, account],
    );
  const looked = `SELECT count(*)::int AS n FROM payment.provider_events WHERE event_ref = 'the same' AND looked_at > 'epoch'`;
  expect(await claimWaitingEvents(w.service.tools.db, 1)).toMatchObject([{ event_ref: 'the same' }]);
  expect(await w.sql(looked)).toEqual([{ n: 1 }]);
});
