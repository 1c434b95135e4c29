// The cvc of a saved card entered again (contract 6.3), tokens of partners (6.4), and which numbers a vault takes
// (15.1).
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sha256 } from '../../src/kit/crypto.ts';
import { openCard } from '../../src/vault/card/sealed-card.ts';
import { openDatabase } from '../../src/kit/database.ts';
import { putPartner } from '../../src/vault/saved/store.ts';
import { openLog } from '../../src/kit/log.ts';
import { type Reply, textAt } from '../client.ts';
import { insideOf } from '../vault/inside.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const savedCard = (fields: object = {}) => w.shop.token({ token_type: 'recurring', cvc: '111', ...fields });
const enter = (body: object, more: object = {}) => w.shop.vault('/token', { body, ...more });
const codeOf = (reply: Reply) => [reply.status, reply.code, reply.at('errors.0.field')];

/** What the money zone sees of a token. */
async function hasCvc(token: string, checkout_id: string | null = null): Promise<boolean | undefined> {
  const card = await w.service.tools.vault.card({
    token_hash: sha256(Buffer.from(token, 'hex')),
    merchant_account_id: w.account,
    checkout_id,
  });
  return card?.has_cvc;
}

const sale = (token: string, order_merchant_id: string, more: object = {}) =>
  w.shop.order({ token, operation_type: 'direct_capture', amount: 3, currency: 'EUR', order_merchant_id, ...more });

describe('a cvc that is entered again', () => {
  test('comes back with the same token and serves one payment', async () => {
    const token = await savedCard();
    expect((await sale(token, 'first')).code).toBe('955555');
    expect(await hasCvc(token)).toBe(false);
    const reply = await enter({ token, cvc: '739' });
    expect(codeOf(reply)).toEqual([200, '999999', undefined]);
    expect([reply.at('token'), reply.at('token_type'), reply.at('card_4_digits')]).toEqual([
      token,
      'recurring',
      '4242',
    ]);
    expect(await hasCvc(token)).toBe(true);
    expect((await sale(token, 'second')).code).toBe('955555');
    expect(await hasCvc(token)).toBe(false);
    expect((await sale(token, 'third')).code).toBe('955555');
  });

  test('for a checkout is that checkout’s alone', async () => {
    const token = await savedCard();
    expect((await sale(token, 'bound-first')).code).toBe('955555');
    const [checkout_id, other] = [await w.shop.checkout(), await w.shop.checkout()];
    const reply = await enter({ token, cvc: '739', checkout_id });
    expect([reply.status, reply.at('checkout_id')]).toEqual([200, checkout_id]);
    expect([await hasCvc(token), await hasCvc(token, other), await hasCvc(token, checkout_id)]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await w.shop.order({ token, checkout_id }, { prefer: 'wait=10' })).code).toBe('944444');
    expect(await hasCvc(token, checkout_id)).toBe(false);
  });

  test('needs a saved card of this account', async () => {
    const recurring = await savedCard();
    const other = await w.otherShop();
    const foreign = await other.vault('/token', { body: { token: recurring, cvc: '739' } });
    const oneshot = await enter({ token: await w.shop.token(), cvc: '739' });
    const unknown = await enter({ token: 'ab'.repeat(32), cvc: '739' });
    for (const reply of [foreign, oneshot, unknown]) expect(codeOf(reply)).toEqual([400, '241021', 'token']);
    const bodies = [foreign, oneshot, unknown].map(({ text }) => text.replace(/"instance":"\w+"/, ''));
    expect(new Set(bodies).size).toBe(1);
  });

  test('is read like any other: every problem at once, and the length its card wants', async () => {
    const token = await savedCard();
    const amex = await savedCard({ card_number: '378282246310005', cvc: '1111' });
    expect(codeOf(await enter({ token }))).toEqual([400, '111011', 'cvc']);
    expect(codeOf(await enter({ token, cvc: '12' }))).toEqual([400, '241031', 'cvc']);
    expect(codeOf(await enter({ token, cvc: 739 }))).toEqual([400, '241031', 'cvc']);
    expect(codeOf(await enter({ token, cvc: '7391' }))).toEqual([400, '241031', 'cvc']);
    expect(codeOf(await enter({ token: amex, cvc: '739' }))).toEqual([400, '241031', 'cvc']);
    expect(codeOf(await enter({ token: amex, cvc: '7391' }))).toEqual([200, '999999', undefined]);
    expect(codeOf(await enter({ token: 'zz', cvc: '739' }))).toEqual([400, '111012', 'token']);
    expect(codeOf(await enter({ token, cvc: '739', checkout_id: '0'.repeat(24) }))).toEqual([
      400,
      '111012',
      'checkout_id',
    ]);
    const all = await enter({ token: 'x', cvc: 'y', checkout_id: 'z', colour: 1 });
    expect([all.at('errors.0.field'), all.at('errors.1.field'), all.at('errors.2.field')]).toEqual([
      'token',
      'checkout_id',
      'cvc',
    ]);
    expect(all.headers.get('x-ignored-fields')).toBe('colour');
  });

  test('under an Idempotency-Key is one entry, and the key is refused for another body', async () => {
    const token = await savedCard();
    const headers = { 'idempotency-key': 'entered' };
    const first = await enter({ token, cvc: '739' }, { headers });
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    const again = await enter({ cvc: '739', token }, { headers });
    expect([again.status, again.at('token'), again.headers.get('idempotent-replayed')]).toEqual([200, token, 'true']);
    expect((await sale(token, 'entered')).code).toBe('955555');
    await enter({ token, cvc: '739' }, { headers });
    expect(await hasCvc(token)).toBe(false);
    expect((await enter({ token: await savedCard(), cvc: '739' }, { headers })).status).toBe(422);
  });
});

const FOREIGN = {
  token_kind: 'psp_token',
  psp_token: 'pm_1OaBcDeFgHiJkLmN',
  partner: 'stripe',
  payment_method_name: 'visa',
  psp_customer_id: 'cus_98765',
  cardholder_name: 'Zoë Martin',
};
const bring = (fields: object = {}, more: object = {}) =>
  w.shop.vault('/token', { body: { ...FOREIGN, ...fields }, key: w.keys.private_key, ...more });

describe('a token of a partner', () => {
  test('is refused with a public key, and for a partner that is not configured', async () => {
    expect(codeOf(await bring({}, { key: w.keys.public_key }))).toEqual([403, '111023', undefined]);
    expect(codeOf(await bring({ partner: 'adyen' }))).toEqual([400, '151043', 'partner']);
  });

  test('is read whole: every problem at once', async () => {
    expect(codeOf(await bring({ psp_token: '' }))).toEqual([400, '111011', 'psp_token']);
    expect(codeOf(await bring({ partner: null }))).toEqual([400, '111011', 'partner']);
    expect(codeOf(await bring({ payment_method_name: null }))).toEqual([400, '111011', 'payment_method_name']);
    const all = await bring({
      token_type: 'oneshot',
      psp_token: 'x'.repeat(256),
      payment_method_name: 'cash',
      card_6_digits: '12',
      card_validity_month: '13',
      cardholder_name: '4242424242424242',
      colour: 'red',
    });
    const fields = (Array.isArray(all.at('errors')) ? [...Array(8).keys()] : []).map((n) =>
      all.at(`errors.${n}.field`),
    );
    expect(new Set(fields)).toEqual(
      new Set([
        'card_validity_year',
        'psp_token',
        'partner',
        'payment_method_name',
        'card_6_digits',
        'token_type',
        'card_validity_month',
        'cardholder_name',
      ]),
    );
    expect(all.headers.get('x-ignored-fields')).toBe('colour');
  });

  test('is stored sealed for a configured partner, answered with what is known, and pays nothing elsewhere', async () => {
    const { socket_dir, user } = inject('server');
    const at = { socket_dir, user, database: w.database };
    const db = openDatabase({ at, role: 'vault_app', name: 'test', max: 1, log: openLog('silent') });
    const merchant_account_id = w.account;
    await putPartner(db, merchant_account_id, 'stripe');
    await putPartner(db, merchant_account_id, 'stripe');
    const headers = { 'idempotency-key': 'brought' };
    const reply = await bring({ card_4_digits: '1881', card_validity_month: 1, card_validity_year: '34' }, { headers });
    expect(reply.body).toEqual({
      result: { code: '999999', description: 'Tokenization successful' },
      created_date: expect.stringMatching(/Z$/),
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'recurring',
      token_kind: 'psp_token',
      subscription_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      customer_scheme_name: 'visa',
      bin_scheme_name: 'visa',
      card_4_digits: '1881',
      card_validity_month: '01',
      card_validity_year: '34',
    });
    const token = textAt(reply, 'token');
    const again = await bring({ card_4_digits: '1881', card_validity_month: 1, card_validity_year: '34' }, { headers });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([reply.text, 'true']);
    const rows = await w.sql<{ sealed: Buffer; created_at: Date; count: string }>(
      `SELECT sealed, created_at, count(*) OVER () FROM vault.cards WHERE partner = 'stripe'`,
    );
    expect(rows.map(({ count }) => count)).toEqual(['1']);
    const [row] = rows;
    if (!row) throw new Error('it was stored');
    expect(row.sealed.includes('pm_1Oa')).toBe(false);
    await using inside = insideOf(w);
    const binding = { environment: 'sandbox', merchant_account_id, token_hash: sha256(Buffer.from(token, 'hex')) };
    const opened = openCard(
      row.sealed,
      { ...binding, kind: 'recurring', exp_month: 1, exp_year: 2034, created_at: row.created_at },
      await inside.keys.card(merchant_account_id),
    );
    expect(opened.number.toString()).toBe(FOREIGN.psp_token);
    expect(opened.holder.subarray(2).toString()).toBe('cus_98765Zoë Martin');
    // the account has no contract with that partner
    const nowhere = await sale(token, 'foreign');
    expect([nowhere.status, nowhere.at('status'), nowhere.code]).toEqual([200, 'authorization_declined', '151043']);
    expect(codeOf(await enter({ token, cvc: '739' }))).toEqual([400, '241021', 'token']);
    await db.close();
  });
});

describe('the numbers a vault takes', () => {
  test('a sandbox says when a number is none of its own', async () => {
    const header = async (card_number: string, more: object = {}) => {
      const card = { card_number, cvc: '123', card_validity_month: '12', card_validity_year: '34' };
      const reply = await w.shop.vault('/token', { body: card, ...more });
      return [reply.status, reply.headers.get('x-sandbox-card')];
    };
    expect(await header('4242424242424242')).toEqual([200, null]);
    expect(await header('4000009994201005')).toEqual([200, null]);
    expect(await header('4242424242424267')).toEqual([200, 'unlisted']);
    const headers = { 'idempotency-key': 'unlisted' };
    for (let times = 0; times < 2; times++)
      expect(await header('4012888888881881', { headers })).toEqual([200, 'unlisted']);
  });

  test('with sandbox_listed_cards_only it takes its own alone', async () => {
    await using strict = await world({ FLORIN_SANDBOX_LISTED_CARDS_ONLY: 'yes' });
    const code = async (card_number: string) =>
      (
        await strict.shop.vault('/token', {
          body: { card_number, cvc: '123', card_validity_month: '12', card_validity_year: '34' },
        })
      ).code;
    expect(await code('4242424242424242')).toBe('999999');
    expect(await code('4000009901000011')).toBe('999999');
    expect(await code('4242424242424267')).toBe('240021');
  });
});
