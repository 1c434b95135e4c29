// Credentials of a merchant's contract as the vault fills them in: at the pinned headers and places and nowhere else,
// for cards of the contract's own account, and none where the record was touched.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/kit/crypto.ts';
import type { Template } from '../../src/provider/contract.ts';
import { type Client, until } from '../client.ts';
import { newFolder } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { askedOf } from './asked.ts';
import { FORM_BODY, JSON_BODY, type Provider, pinned, signedFile, startProvider, table } from './provider.ts';

const folder = newFolder('florin-contracts-');
let provider: Provider;
let w: World;
beforeAll(async () => {
  provider = await startProvider();
  w = await world(signedFile(folder.path, { bank: bank(), other: bank() }), { table });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** The pinned bank, whose account stands in the body as the contract says. */
const bank = (change: object = {}) =>
  pinned(provider.port, provider.certificate, { provider: 'bank-with-keys', ...change });

const SLOT = { slot: 'secret.account?' };
const JSON_WITH = ['{"amount":500,"account":', SLOT, ',"card":{"number":', ...JSON_BODY.slice(1)];
const FORM_WITH = ['amount=500&account=', SLOT, '&card%5Bcvc%5D=', ...FORM_BODY.slice(1)];

const keep = async (contract_id: string, values: Readonly<Record<string, string>>, of: object = {}) =>
  w.service.tools.vault.keepCredentials({
    contract_id,
    merchant_account_id: w.account,
    destination: 'bank',
    values,
    ...of,
  });

async function sent(contract_id: string | null, change: object = {}) {
  const forward = askedOf(w, await w.shop.token(), { destination: 'bank', step: 'authorize', contract_id });
  return w.service.tools.vault.forward({ ...forward, body: JSON_WITH as Template, ...change });
}

/** The merchant account of another shop. */
async function idOf(shop: Client): Promise<string> {
  const token_hash = sha256(Buffer.from(await shop.token(), 'hex'));
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS id FROM vault.cards WHERE token_hash = decode($1, 'hex')`,
    [token_hash],
  );
  return row?.id ?? '';
}

const heard = () => provider.heard.at(-1) ?? { url: '', headers: {}, body: '{}' };

describe('what goes out', () => {
  test('the headers and the place that are pinned, for JSON and for a form; a change is seen within a second', async () => {
    provider.answer = (response) => response.end('{"status":"approved"}');
    const contract_id = w.service.tools.chance.id();
    const account = 'our "account" & \\ more';
    expect(await keep(contract_id, { api_key: 'key-1', account, unused: 'never-sent' })).toBe(true);
    expect(await sent(contract_id)).toMatchObject({ outcome: 'answered', status: 200 });
    expect(heard().headers).toMatchObject({ authorization: 'Bearer key-1', 'x-account': account });
    expect(JSON.parse(heard().body)).toMatchObject({ amount: 500, account, card: { number: '4242424242424242' } });
    expect(JSON.stringify(heard())).not.toContain('never-sent');
    expect((await sent(contract_id, { step: 'form', body: FORM_WITH })).outcome).toBe('answered');
    expect(new URLSearchParams(heard().body).get('account')).toBe(account);
    expect(await keep(contract_id, { api_key: 'key-2' })).toBe(true);
    await until(async () => {
      await sent(contract_id);
      return JSON.stringify(heard().headers).includes('Bearer key-2') || undefined;
    });
    // what is left out now is gone, its header too
    expect(heard().headers).not.toHaveProperty('x-account');
    expect(JSON.parse(heard().body)).not.toHaveProperty('account');
    expect(JSON.parse(heard().body)).toMatchObject({ amount: 500, card: { number: '4242424242424242' } });
  });
});

describe('nothing goes out', () => {
  test('without one that is needed: nothing is spent, and the token pays once it is there', async () => {
    const contract_id = w.service.tools.chance.id();
    const token = await w.shop.token();
    const ask = (change: object = {}) => {
      const forward = askedOf(w, token, { destination: 'bank', step: 'authorize', contract_id });
      return w.service.tools.vault.forward({ ...forward, body: JSON_WITH as Template, ...change });
    };
    const before = provider.heard.length;
    const missing = { outcome: 'not_sent', reason: 'credentials' };
    expect(await ask()).toEqual(missing);
    expect(await ask({ contract_id: null })).toEqual(missing);
    await keep(contract_id, { account: 'ours' });
    await until(async () => JSON.stringify(await ask()) === JSON.stringify(missing) || undefined);
    expect(provider.heard.length).toBe(before);
    await keep(contract_id, { account: 'ours', api_key: 'late' });
    await until(async () => (await ask()).outcome === 'answered' || undefined);
  });

  test('with those of another account, of another provider, or of a record that was moved or changed', async () => {
    const { chance } = w.service.tools;
    const [theirs, elsewhere, moved, changed] = [chance.id(), chance.id(), chance.id(), chance.id()];
    const lent = chance.id();
    const strangers = await w.otherShop();
    const stranger = await idOf(strangers);
    await keep(theirs, { api_key: 'theirs' }, { merchant_account_id: stranger });
    await keep(elsewhere, { api_key: 'elsewhere' }, { destination: 'other' });
    for (const contract_id of [moved, changed]) await keep(contract_id, { api_key: 'good' });
    // also while they are remembered for those whose they are
    await keep(lent, { api_key: 'lent' });
    expect((await sent(lent)).outcome).toBe('answered');
    // a stranger's record is not taken over either
    expect(await keep(theirs, { api_key: 'mine now' })).toBe(false);
    expect(await keep(elsewhere, { api_key: 'here now' })).toBe(false);
    await w.sql(
      `UPDATE vault.contracts c SET credentials_sealed = o.credentials_sealed FROM vault.contracts o
       WHERE c.id = decode($1, 'hex') AND o.id = decode($2, 'hex')`,
      [moved, changed],
    );
    await w.sql(
      `UPDATE vault.contracts SET credentials_sealed = set_byte(credentials_sealed, 30, get_byte(credentials_sealed, 30) # 1)
       WHERE id = decode($1, 'hex')`,
      [changed],
    );
    const before = provider.heard.length;
    for (const contract_id of [theirs, elsewhere, moved, changed])
      expect([contract_id, await sent(contract_id)]).toEqual([
        contract_id,
        { outcome: 'not_sent', reason: 'credentials' },
      ]);
    expect(provider.heard.length).toBe(before);
    expect(await sent(lent, { destination: 'other' })).toEqual({ outcome: 'not_sent', reason: 'credentials' });
    const stranger_token = await strangers.token();
    const forward = askedOf(w, stranger_token, { destination: 'bank', step: 'authorize', contract_id: lent });
    const of_stranger = { ...forward, merchant_account_id: stranger, body: JSON_WITH as Template };
    expect(await w.service.tools.vault.forward(of_stranger)).toEqual({ outcome: 'not_sent', reason: 'credentials' });
    expect(provider.heard.length).toBe(before);
    const records = await w.sql<{ object: string }>(
      `SELECT object FROM vault.audit WHERE action = 'record failed to open' AND object = ANY ($1)`,
      [[moved, changed]],
    );
    expect(new Set(records.map(({ object }) => object))).toEqual(new Set([moved, changed]));
  });

  test('at a place that is not pinned for it, or twice', async () => {
    const contract_id = w.service.tools.chance.id();
    await keep(contract_id, { api_key: 'key', account: 'ours' });
    const refused = { outcome: 'not_sent', reason: 'refused' };
    const at = (slot: string) => JSON_WITH.map((part) => (part === SLOT ? { slot } : part));
    expect(await sent(contract_id, { body: at('secret.api_key') })).toEqual(refused);
    expect(await sent(contract_id, { body: [...JSON_WITH.slice(0, -1), '},"more":', SLOT, '}'] })).toEqual(refused);
  });
});

test('each change is an audit record of the vault, with the names and no value', async () => {
  const contract_id = w.service.tools.chance.id();
  await keep(contract_id, { api_key: 'of-the-audit', account: 'ours' });
  const rows = await w.sql<{ detail: object }>(
    `SELECT detail FROM vault.audit WHERE action = 'contract credentials set' AND object = $1`,
    [contract_id],
  );
  expect(rows.map(({ detail }) => detail)).toEqual([
    { merchant_account_id: w.account, destination: 'bank', names: 'account,api_key' },
  ]);
});
