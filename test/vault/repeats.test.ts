// What POST /token made is answered again, and stored again under new keys, for all three kinds of request: a card, a
// cvc entered again, a partner's token.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/core/durations.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { MemoryCvcs } from '../../src/vault/card/cvcs.ts';
import { deletePast } from '../../src/vault/forget.ts';
import { putPartner } from '../../src/vault/saved/store.ts';
import { contractCache, credentialsOf } from '../../src/vault/contracts/contracts.ts';
import { rotateData } from '../../src/vault/rotation/data.ts';
import { rotateFingerprints } from '../../src/vault/rotation/fingerprint.ts';
import { GOOD_CARD, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { insideOf } from './inside.ts';

let w: World;
let saved: string;
beforeAll(async () => {
  w = await world();
  saved = await w.shop.token({ token_type: 'recurring' });
  await using inside = insideOf(w);
  await putPartner(inside.db, w.account, 'stripe');
});
afterAll(() => w[Symbol.asyncDispose]());

/** Other processes are not waited for: the one of this world still holds the old keys when it is asked next. */
async function rotate(): Promise<void> {
  await using inside = insideOf(w, { clock: { ...systemClock(), sleep: async () => undefined } });
  const tools = { ...inside, actor: 'test', progress: () => undefined };
  await rotateFingerprints(tools);
  await rotateData(tools);
}

const PARTNER = { token_kind: 'psp_token', psp_token: 'pm_1', partner: 'stripe', payment_method_name: 'visa' };

const KINDS: readonly (readonly [string, () => object, object])[] = [
  ['a card', () => ({ ...GOOD_CARD, token_type: 'recurring' }), { cardholder_name: 'Another' }],
  ['a cvc entered again', () => ({ token: saved, cvc: '123' }), { token_type: 'recurring' }],
  ["a partner's token", () => PARTNER, { psp_token: 'pm_2' }],
];

const send = (body: object, key: string) =>
  w.shop.vault('/token', { body, key: w.keys.private_key, headers: { 'idempotency-key': key.replaceAll(/\W/g, '-') } });

async function keyStates(): Promise<readonly string[]> {
  const rows = await w.sql<{ state: string }>(
    `SELECT DISTINCT d.state FROM vault.data_keys d WHERE d.id IN
       (SELECT data_key_id FROM vault.cards UNION ALL SELECT ('x' || encode(substring(token_sealed FROM 2 FOR 8), 'hex'))::bit(64)::bigint FROM vault.idempotency_keys)`,
  );
  return rows.map(({ state }) => state);
}

test('for a saved card that is removed, but still needed by an order, no cvc is stored and no token is answered again', async () => {
  const body = { ...GOOD_CARD, token_type: 'recurring' };
  const token_hash = sha256(Buffer.from(textAt(await send(body, 'needed'), 'token'), 'hex'));
  const merchant_account_id = w.account;
  await w.service.tools.vault.remove({ token_hash, merchant_account_id, still_needed: true });
  const again = await send({ ...body, cvc: '456' }, 'needed');
  expect([again.status, again.at('errors.0.field')]).toEqual([422, 'Idempotency-Key']);
});

describe.each(KINDS)('%s', (kind, body, other) => {
  test('with an Idempotency-Key is answered again after every key was changed', async () => {
    const first = await send(body(), `before ${kind}`);
    expect([first.status, first.code]).toEqual([200, '999999']);
    await rotate();
    const again = await send({ ...body(), cvc: '456' }, `before ${kind}`);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    const refused = await send({ ...body(), ...other }, `before ${kind}`);
    expect([refused.status, refused.at('errors.0.field')]).toEqual([422, 'Idempotency-Key']);
    expect(await keyStates()).toEqual(['active']);
  });

  test('that comes when the key at hand has just been destroyed is stored under the next one', async () => {
    await send(body(), `warm ${kind}`);
    await rotate();
    const reply = await send(body(), `after ${kind}`);
    expect([reply.status, reply.code]).toEqual([200, '999999']);
    expect(await keyStates()).toEqual(['active']);
    const again = await send(body(), `after ${kind}`);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([reply.text, 'true']);
  });
});

test("a contract's credentials are those they were after every key was changed, also when they were set under a key just destroyed", async () => {
  const { vault, chance, providers } = w.service.tools;
  const [contract_id, later] = [chance.id(), chance.id()];
  const of = { merchant_account_id: w.account, destination: 'simulator' };
  await using inside = insideOf(w);
  const read = (id: string) =>
    credentialsOf(
      { ...inside, contracts: contractCache(inside.clock) },
      { ...of, contract_id: id },
      { headers: { 'x-api-key': 'secret.api_key' }, slots: {} },
    );
  expect(providers.get(of.destination)?.credentials[0]?.name).toBe('api_key');
  expect(await vault.keepCredentials({ ...of, contract_id, values: { api_key: 'kept' } })).toBe(true);
  await rotate();
  expect(await vault.keepCredentials({ ...of, contract_id: later, values: { api_key: 'later' } })).toBe(true);
  inside.keys.refresh();
  expect([await read(contract_id), await read(later)]).toEqual([{ api_key: 'kept' }, { api_key: 'later' }]);
  const rows = await w.sql<{ state: string }>(
    `SELECT DISTINCT d.state FROM vault.data_keys d JOIN vault.contracts c ON substring(c.credentials_sealed FROM 2 FOR 8) = int8send(d.id)`,
  );
  expect(rows).toEqual([{ state: 'active' }]);
});

test('a card that was removed takes no cvc any more, and its Idempotency-Key makes nothing new', async () => {
  const body = { ...GOOD_CARD, token_type: 'recurring', card_validity_year: '2033' };
  const token = textAt(await send(body, 'removed'), 'token');
  const merchant_account_id = w.account;
  const token_hash = sha256(Buffer.from(token, 'hex'));
  const { vault } = w.service.tools;
  const removal = { token_hash, merchant_account_id };
  expect(await vault.remove({ ...removal, still_needed: true })).toBe(false);
  const enter = () => w.shop.vault('/token', { body: { token, cvc: '123' } });
  expect([(await enter()).code, (await enter()).at('errors.0.field')]).toEqual(['241021', 'token']);
  expect(await vault.remove({ ...removal, still_needed: false })).toBe(true);
  const [other, checkout_id] = [await w.shop.token({ token_type: 'recurring' }), await w.shop.checkout()];
  for (const asked of [PARTNER, body, { ...GOOD_CARD, checkout_id }, { token: other, cvc: '123' }]) {
    const reply = await send(asked, 'removed');
    expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([422, '111012', 'Idempotency-Key']);
  }
});

test('a removed card that an order needed for a month goes with the fingerprint of its number', async () => {
  const { merchant_account_id = '' } = w.service.demo ?? {};
  const { body } = await send({ ...GOOD_CARD, card_number: '4111111111111111', token_type: 'recurring' }, 'a month');
  const { token, card_unique_id } = body as { readonly token: string; readonly card_unique_id: string };
  const token_hash = sha256(Buffer.from(token, 'hex'));
  const { vault } = w.service.tools;
  expect(await vault.remove({ token_hash, merchant_account_id, still_needed: true })).toBe(false);
  await w.sql(
    `UPDATE vault.cards SET delete_after = delete_after - interval '30 days 1 minute' WHERE token_hash = decode($1, 'hex')`,
    [token_hash],
  );
  await using inside = insideOf(w);
  await deletePast({ ...inside, cvcs: new MemoryCvcs(systemClock()) });
  const left = (table: string) => w.sql(`SELECT 1 FROM vault.${table} WHERE card_unique_id = $1`, [card_unique_id]);
  expect([await left('cards'), await left('fingerprints')]).toEqual([[], []]);
  expect(await vault.remove({ token_hash, merchant_account_id, still_needed: false })).toBe(true);
});

test("an answer from before the end of a card's last month is repeated after it, and nothing new is made", async () => {
  await using later = await world();
  const merchant_account_id = later.account;
  {
    await using inside = insideOf(later);
    await putPartner(inside.db, merchant_account_id, 'stripe');
  }
  // a month that has more than its last hour left
  const now = new Date(later.service.tools.clock.now().getTime() + HOUR_MS);
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const moveTo = async (at: number) => {
    const moved = await later.shop.api('/sandbox/clock/advance', { body: { to: new Date(at).toISOString() } });
    expect([moved.status, moved.at('settled')], moved.text).toEqual([200, true]);
  };
  await moveTo(end - HOUR_MS / 2);
  const expiry = { card_validity_month: now.getUTCMonth() + 1, card_validity_year: now.getUTCFullYear() };
  const bodies = { card: { ...GOOD_CARD, ...expiry }, partner: { ...PARTNER, ...expiry } };
  const ask = (body: object, idempotency_key: string) =>
    later.shop.vault('/token', {
      body,
      key: later.keys.private_key,
      headers: { 'idempotency-key': idempotency_key },
    });
  const first = { card: await ask(bodies.card, 'card'), partner: await ask(bodies.partner, 'partner') };
  await moveTo(end + HOUR_MS);
  for (const kind of ['card', 'partner'] as const) {
    expect(first[kind].status, first[kind].text).toBe(200);
    const again = await ask(bodies[kind], kind);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first[kind].text, 'true']);
    const other = await ask({ ...bodies[kind], cardholder_name: 'Another' }, kind);
    expect([other.status, other.at('errors.0.field')]).toEqual([422, 'Idempotency-Key']);
    const anew = await ask(bodies[kind], `${kind}-anew`);
    expect([anew.status, anew.code, anew.at('errors.0.field')]).toEqual([400, '240022', 'card_validity_year']);
  }
  const wrong = await ask({ ...bodies.card, cvc: '12' }, 'card');
  expect([wrong.status, wrong.at('errors.0.field')]).toEqual([400, 'cvc']);
});
