// Customers and saved cards (contract 9), as a merchant's server sees them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, type Reply, textAt, until } from '../client.ts';
import { actAt, authenticates, redirectOf, toBank } from '../authentication/payer.ts';
import { undecided } from '../undecided.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

let count = 0;
const newCustomer = () => `customer ${count++} é/?`;
const read = (shop: Client, customer_id: string) => shop.api(`/payment/information/${encodeURIComponent(customer_id)}`);
const remove = (shop: Client, body: unknown, headers: Readonly<Record<string, string>> = { version: '2.3.0' }) =>
  shop.api('/payment/information/id', { method: 'DELETE', body, headers });

const SAVES = { token_type: 'recurring', payment_channel: 'e-commerce' };

/** Pays with a card that is saved; answers its token. */
async function save(customer_id: string, card: object = {}, fields: object = {}): Promise<string> {
  const token = await w.shop.token({ token_type: 'recurring', ...card });
  const order = await w.shop.pay({}, { token, customer_id, ...SAVES, ...fields });
  expect(order.status).toBe(200);
  return token;
}

function savedOf(reply: Reply): readonly Json[] {
  const saved = reply.at('payment_methods_saved') ?? reply.at('payment_methods.payment_methods_saved');
  if (!Array.isArray(saved)) throw new Error(`no payment_methods_saved in ${reply.text}`);
  return saved;
}

const tokensOf = (reply: Reply) => savedOf(reply).map((_, i) => reply.at(`payment_methods_saved.${i}.token`));

async function vaultRows(): Promise<{ cards: number; fingerprints: number }> {
  const [row] = await w.sql<{ cards: number; fingerprints: number }>(
    `SELECT (SELECT count(*)::int FROM vault.cards WHERE kind = 'recurring') AS cards, (SELECT count(*)::int FROM vault.fingerprints) AS fingerprints`,
  );
  if (!row) throw new Error('count gives a row');
  return row;
}

const cardsOf = (token: string) =>
  w.sql(`SELECT 1 FROM vault.cards WHERE token_hash = sha256(decode($1, 'hex'))`, [token]);

describe('a customer record', () => {
  test('is made by the first checkout and keeps the browser data of the last request that gave them', async () => {
    const customer_id = newCustomer();
    await w.shop.checkout({
      customer_id,
      customer_browser_info_language: 'fr-FR',
      customer_browser_info_color_depth: 24,
    });
    await w.shop.checkout({ customer_id, customer_ip: '203.0.113.7', customer_browser_info_js_enabled: 'true' });
    await w.shop.checkout({ customer_id });
    const reply = await read(w.shop, customer_id);
    expect([reply.status, reply.code]).toEqual([200, '9111111']);
    expect(reply.body).toMatchObject({
      customer_id,
      __v: 1,
      browser_info_language: 'fr-FR',
      browser_info_color_depth: '24',
      browser_info_js_enabled: true,
      browser_info_user_agent: null,
      ip: '203.0.113.7',
      ip_country: 'US',
      payment_methods_saved: [],
      payment_methods_used: [],
      pm_merchant_accounts: [],
    });
    expect(textAt(reply, 'createdAt') <= textAt(reply, 'updatedAt')).toBe(true);
  });

  test('is made by the first order, also when that is declined, and then nothing was used', async () => {
    const customer_id = newCustomer();
    const order = await w.shop.pay({ card_number: '4000000000009995' }, { customer_id, customer_ip: '203.0.113.9' });
    expect(order.code).toBe('420100');
    expect((await read(w.shop, customer_id)).body).toMatchObject({ ip: '203.0.113.9', payment_methods_used: [] });
  });

  test('may have the id that is a word of the path, or characters that a path must escape', async () => {
    for (const customer_id of ['id', 'a/b', '%2F', 'Zoë 🙂']) {
      await w.shop.checkout({ customer_id });
      expect((await read(w.shop, customer_id)).at('customer_id')).toBe(customer_id);
    }
  });

  test('is unknown to others and to those who ask for what cannot be one', async () => {
    const customer_id = newCustomer();
    await save(customer_id);
    const other = await w.otherShop();
    for (const reply of [
      await read(other, customer_id),
      await read(w.shop, 'nobody'),
      await w.shop.api('/payment/information/a%00b'),
      await w.shop.api(`/payment/information/${'x'.repeat(600)}`),
    ])
      expect([reply.status, reply.code]).toEqual([404, '111012']);
    expect((await w.shop.api('/payment/information/')).status).toBe(404);
    expect((await w.shop.api('/payment/information/%zz')).status).toBe(404);
    const foreign = await other.api('/payment/checkout', { body: { ...CHECKOUT_OF(customer_id) } });
    expect(savedOf(foreign)).toEqual([]);
  });
});

const CHECKOUT_OF = (customer_id: string) => ({
  type: 'api',
  operation_type: 'authorize',
  amount: 10,
  currency: 'EUR',
  order_merchant_id: 'x',
  customer_id,
});

describe('a card', () => {
  test('is saved by an order that succeeds, and listed wherever the contract lists saved cards', async () => {
    const customer_id = newCustomer();
    const token = await save(customer_id);
    const item = {
      name: 'visa',
      display_name: 'Visa',
      component_type: 'card',
      partner: 'simulator',
      logo: 'visa.svg',
      token,
      nb_use: 0,
      date_last_use: null,
      payment_details: [
        { key: 'last_4_digits', value: '4242' },
        { key: 'first_6_digits', value: '424242' },
        { key: 'card_validity_month', value: '12' },
        { key: 'card_validity_year', value: '34' },
      ],
    };
    const record = await read(w.shop, customer_id);
    expect(savedOf(record)).toMatchObject([item]);
    expect(record.at('payment_methods_used')).toMatchObject([{ name: 'visa', nb_use: 1 }]);
    const checkout = await w.shop.api('/payment/checkout', { body: CHECKOUT_OF(customer_id) });
    expect(savedOf(checkout)).toMatchObject([item]);
    expect(checkout.at('payment_methods.payment_methods_used')).toMatchObject([
      { name: 'visa', logo: 'visa.svg', nb_use: 1 },
    ]);
    const id = textAt(checkout, 'checkout.checkout_id');
    expect(savedOf(await w.shop.api(`/payment/checkout/${id}`))).toMatchObject([item]);
  });

  test('pays again with its token, without a cvc or with one, and the uses are counted', async () => {
    const customer_id = newCustomer();
    const token = await save(customer_id);
    const first = await w.shop.pay({}, { token, customer_id });
    const second = await w.shop.pay({}, { token, customer_id, ...SAVES });
    expect([first.code, second.code]).toEqual(['955555', '955555']);
    const record = await read(w.shop, customer_id);
    expect(savedOf(record)).toMatchObject([{ token, nb_use: 2 }]);
    expect(record.at('payment_methods_used')).toMatchObject([{ name: 'visa', nb_use: 3 }]);
    expect(record.at('payment_methods_saved.0.date_last_use')).toBe(record.at('payment_methods_used.0.date_last_use'));
    expect(textAt(record, 'payment_methods_used.0.date_last_use')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    // counting is not repeated
    expect((await read(w.shop, customer_id)).body).toEqual(record.body);
  });

  test.each([
    ['the order is declined', { card_number: '4000000000009995', token_type: 'recurring' }, SAVES],
    ['the order does not ask for it', { token_type: 'recurring' }, {}],
    ['the token is a one-shot', {}, SAVES],
  ])('is not saved when %s', async (_, card, fields) => {
    const customer_id = newCustomer();
    await w.shop.pay(card, { customer_id, ...fields });
    expect(savedOf(await read(w.shop, customer_id))).toEqual([]);
  });

  test('is saved when the checkout says so, and the order names neither customer nor kind of token', async () => {
    const customer_id = newCustomer();
    const checkout_id = await w.shop.checkout({
      customer_id,
      token_type: 'recurring',
      operation_type: 'direct_capture',
    });
    const token = await w.shop.token({ token_type: 'recurring' });
    await w.shop.order({ token, checkout_id });
    expect(savedOf(await read(w.shop, customer_id))).toMatchObject([{ token }]);
  });

  test('typed for one checkout pays that one first, and from then on any other and none', async () => {
    const customer_id = newCustomer();
    const [first, second] = [await w.shop.checkout(), await w.shop.checkout()];
    const token = await w.shop.token({ token_type: 'recurring', checkout_id: first });
    for (const elsewhere of [await w.shop.order({ token, checkout_id: second }), await w.shop.pay({}, { token })])
      expect([elsewhere.status, elsewhere.code]).toEqual([400, '241021']);
    const wait = { prefer: 'wait=10' };
    expect((await w.shop.order({ token, checkout_id: first, customer_id, ...SAVES }, wait)).code).toBe('944444');
    expect(tokensOf(await read(w.shop, customer_id))).toEqual([token]);
    expect((await w.shop.order({ token, checkout_id: second, customer_id }, wait)).code).toBe('944444');
    expect((await w.shop.pay({}, { token, customer_id })).code).toBe('955555');
  });

  test('is saved without a customer nowhere, and its token works', async () => {
    const token = await w.shop.token({ token_type: 'recurring' });
    expect((await w.shop.pay({}, { token, ...SAVES })).code).toBe('955555');
    expect((await w.shop.pay({}, { token })).code).toBe('955555');
  });

  test('saved twice is one item with the newest token, and the older token still pays', async () => {
    const customer_id = newCustomer();
    const older = await save(customer_id);
    const newer = await save(customer_id, { card_validity_year: '2035' });
    const record = await read(w.shop, customer_id);
    expect(savedOf(record)).toMatchObject([{ token: newer, nb_use: 0 }]);
    expect(record.at('payment_methods_saved.0.payment_details.3.value')).toBe('35');
    expect((await w.shop.pay({}, { token: older, customer_id })).code).toBe('955555');
    expect(savedOf(await read(w.shop, customer_id))).toMatchObject([{ token: newer, nb_use: 1 }]);
  });

  test('that was used last comes first', async () => {
    const customer_id = newCustomer();
    const visa = await save(customer_id);
    const mastercard = await save(customer_id, { card_number: '5555555555554444' });
    expect(tokensOf(await read(w.shop, customer_id))).toEqual([mastercard, visa]);
    await w.shop.pay({}, { token: visa, customer_id });
    expect(tokensOf(await read(w.shop, customer_id))).toEqual([visa, mastercard]);
  });

  test('whose token a merchant gives to a second customer is saved for both, and removed from both', async () => {
    const [one, two] = [newCustomer(), newCustomer()];
    const shared = await save(one);
    await w.shop.pay({}, { token: shared, customer_id: two, ...SAVES });
    expect(tokensOf(await read(w.shop, two))).toEqual([shared]);
    const own = await save(two, { card_number: '5555555555554444' });
    expect(tokensOf(await remove(w.shop, { customer_id: one }))).toEqual([]);
    expect(tokensOf(await read(w.shop, two))).toEqual([own]);
    expect((await w.shop.pay({}, { token: shared, customer_id: two })).code).toBe('241021');
  });

  test('whose token a second customer paid with is not saved for that one after its removal', async () => {
    const [one, two] = [newCustomer(), newCustomer()];
    const shared = await save(one);
    await w.shop.pay({}, { token: shared, customer_id: two, ...SAVES });
    await remove(w.shop, { customer_id: one });
    expect(tokensOf(await read(w.shop, two))).toEqual([]);
  });

  test('of a brand the checkout cannot be paid with is not offered there', async () => {
    const customer_id = newCustomer();
    await save(customer_id);
    const checkout = await w.shop.api('/payment/checkout', {
      body: { ...CHECKOUT_OF(customer_id), payment_method_name: 'mastercard' },
    });
    expect(savedOf(checkout)).toEqual([]);
  });

  test('of an order whose process lost the outcome is saved once recovery has found it', async () => {
    const customer_id = newCustomer();
    await using outcomes = await undecided(w);
    const token = await w.shop.token({ token_type: 'recurring' });
    const sale = { operation_type: 'authorize', amount: 5, currency: 'EUR', order_merchant_id: customer_id };
    const order = await w.shop.order({ token, customer_id, ...SAVES, ...sale });
    expect(savedOf(await read(w.shop, customer_id))).toEqual([]);
    await outcomes.decide();
    expect((await w.shop.decided(textAt(order, 'order_id'))).code).toBe('944444');
    expect(savedOf(await read(w.shop, customer_id))).toMatchObject([{ token }]);
  });

  test('of an order under way is not saved after a removal that ended its token', async () => {
    const customer_id = newCustomer();
    const token = await save(customer_id);
    await using outcomes = await undecided(w);
    const sale = { operation_type: 'authorize', amount: 5, currency: 'EUR', order_merchant_id: customer_id };
    const order = await w.shop.order({ token, customer_id, ...SAVES, ...sale });
    expect((await remove(w.shop, { customer_id })).at('payment_methods_saved')).toEqual([]);
    const kept = () => w.sql(`SELECT 1 FROM vault.cards WHERE token_hash = sha256(decode($1, 'hex'))`, [token]);
    expect(await kept()).toHaveLength(1);
    expect((await w.shop.pay({}, { token, customer_id })).code).toBe('241021');
    await outcomes.decide();
    // the order goes on with its card, and then the card is deleted
    expect((await w.shop.decided(textAt(order, 'order_id'))).code).toBe('944444');
    await w.sql(`UPDATE payment.card_removals SET due_at = now()`);
    await until(async () => ((await w.sql(`SELECT 1 FROM payment.card_removals`)).length === 0 ? true : undefined));
    expect(await kept()).toEqual([]);
    expect(savedOf(await read(w.shop, customer_id))).toEqual([]);
  });

  test('many orders at once, and many who look, count each order once', async () => {
    const customer_id = newCustomer();
    const token = await save(customer_id);
    const looks: Promise<Reply>[] = [];
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        await w.shop.pay({}, { token, customer_id });
        looks.push(read(w.shop, customer_id), read(w.shop, customer_id));
      }),
    );
    for (const look of await Promise.all(looks)) expect(look.status).toBe(200);
    const record = await read(w.shop, customer_id);
    expect(savedOf(record)).toMatchObject([{ nb_use: 12 }]);
    expect(record.at('payment_methods_used')).toMatchObject([{ nb_use: 13 }]);
  });

  test('no token of a saved card is in the database in clear', async () => {
    const customer_id = newCustomer();
    const token = await save(customer_id);
    await read(w.shop, customer_id);
    const rows = await w.sql<{ all: string }>(
      `SELECT (SELECT json_agg(s) FROM payment.saved_cards s)::text || (SELECT json_agg(s) FROM payment.saved_card_tokens s)::text
         || (SELECT coalesce(json_agg(s), '[]') FROM payment.customer_orders s)::text AS all`,
    );
    expect(rows[0]?.all).not.toContain(token);
  });
});

describe('a removal', () => {
  test('of everything empties the list, ends every token and deletes the card data', async () => {
    const before = await vaultRows();
    const customer_id = newCustomer();
    const card = { card_number: '6011111111111117' };
    const tokens = [await save(customer_id, card), await save(customer_id, card)];
    expect(await vaultRows()).toEqual({ cards: before.cards + 2, fingerprints: before.fingerprints + 1 });
    const reply = await remove(w.shop, { customer_id });
    expect([reply.status, reply.code, reply.at('payment_methods_saved')]).toEqual([200, '9111111', []]);
    expect(reply.at('payment_methods_used')).toMatchObject([{ name: 'discover', nb_use: 2 }]);
    expect(reply.headers.get('version')).toBe('2.3.0');
    for (const token of tokens) {
      const order = await w.shop.pay({}, { token, customer_id });
      expect([order.status, order.code]).toEqual([400, '241021']);
    }
    expect(await vaultRows()).toEqual(before);
    expect((await read(w.shop, customer_id)).body).toEqual(reply.body);
  });

  test('of one card, by its token or its id, leaves the others', async () => {
    const customer_id = newCustomer();
    const visa = await save(customer_id);
    const mastercard = await save(customer_id, { card_number: '5555555555554444' });
    const amex = await save(customer_id, { card_number: '378282246310005', cvc: '1234' });
    expect(tokensOf(await remove(w.shop, { customer_id, token: visa }))).toEqual([amex, mastercard]);
    const id = textAt(await read(w.shop, customer_id), 'payment_methods_saved.0.id');
    expect(tokensOf(await remove(w.shop, { customer_id, id }))).toEqual([mastercard]);
    expect((await w.shop.pay({}, { token: mastercard, customer_id })).code).toBe('955555');
  });

  test('by token and id wants both to name the same card, and an older token names it too', async () => {
    const customer_id = newCustomer();
    const older = await save(customer_id);
    await save(customer_id);
    const other = await save(customer_id, { card_number: '5555555555554444' });
    const record = await read(w.shop, customer_id);
    expect(record.at('payment_methods_saved.0.token')).toBe(other);
    const id = textAt(record, 'payment_methods_saved.1.id');
    const refused = await remove(w.shop, { customer_id, id, token: other });
    expect([refused.status, refused.code, refused.at('errors.0.field')]).toEqual([400, '111012', 'id']);
    expect(tokensOf(await remove(w.shop, { customer_id, id, token: older }))).toEqual([other]);
  });

  test("of what is not this customer's is refused and removes nothing", async () => {
    const customer_id = newCustomer();
    const token = await save(customer_id);
    const other = newCustomer();
    const foreign = await save(other, { card_number: '5555555555554444' });
    const id = textAt(await read(w.shop, other), 'payment_methods_saved.0.id');
    for (const named of [{ token: foreign }, { id }, { token: 'ab'.repeat(32) }]) {
      const reply = await remove(w.shop, { customer_id, ...named });
      expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([400, '111012', Object.keys(named)[0]]);
    }
    const otherShop = await w.otherShop();
    const unknown = await remove(otherShop, { customer_id });
    expect([unknown.status, unknown.code]).toEqual([404, '111012']);
    expect(tokensOf(await read(w.shop, customer_id))).toEqual([token]);
    expect(tokensOf(await read(w.shop, other))).toEqual([foreign]);
  });

  test('without cards, without version and with every problem of the fields at once', async () => {
    const customer_id = newCustomer();
    await w.shop.checkout({ customer_id });
    expect((await remove(w.shop, { customer_id }, {})).code).toBe('9111111');
    const wrong = await remove(w.shop, { token: 'x', id: 'y', colour: 1 });
    expect([wrong.status, wrong.code]).toEqual([400, '111011']);
    expect(wrong.at('errors.0.field')).toBe('customer_id');
    expect(wrong.at('errors.1.field')).toBe('token');
    expect(wrong.at('errors.2.field')).toBe('id');
    expect(wrong.headers.get('x-ignored-fields')).toBe('colour');
    expect((await remove(w.shop, { customer_id }, { version: '9' })).at('errors.0.field')).toBe('version');
    const reply = await w.shop.api('/payment/information/id', {
      method: 'DELETE',
      body: { customer_id },
      key: w.keys.public_key,
    });
    expect([reply.status, reply.code]).toEqual([403, '111023']);
  });

  test('is an event of the customer', async () => {
    const customer_id = newCustomer();
    await save(customer_id);
    const record = await remove(w.shop, { customer_id });
    await remove(w.shop, { customer_id });
    const events = await w.sql<{ type: string; code: string; seq: number }>(
      `SELECT type, code, seq FROM payment.events WHERE subject_id = decode($1, 'hex')`,
      [textAt(record, '_id')],
    );
    expect(events).toEqual([{ type: 'customer.updated', code: '9111111', seq: 1 }]);
  });

  test('with an Idempotency-Key is done once; another body with the key is refused', async () => {
    const customer_id = newCustomer();
    await save(customer_id);
    const headers = { 'idempotency-key': 'remove-1' };
    const replies = await Promise.all(Array.from({ length: 6 }, () => remove(w.shop, { customer_id }, headers)));
    expect(replies.map((r) => [r.status, r.at('payment_methods_saved')])).toEqual(replies.map(() => [200, []]));
    expect(replies.filter((r) => r.headers.get('idempotent-replayed') === 'true')).toHaveLength(5);
    const again = await save(customer_id);
    const replayed = await remove(w.shop, { customer_id }, headers);
    expect([replayed.headers.get('idempotent-replayed'), tokensOf(replayed)]).toEqual(['true', [again]]);
    const other = await remove(w.shop, { customer_id, token: again }, headers);
    expect([other.status, other.at('errors.0.field')]).toEqual([422, 'Idempotency-Key']);
    expect(tokensOf(await read(w.shop, customer_id))).toEqual([again]);
  });

  test('holds before the vault is reached, and the vault is told until it has done it', async () => {
    const customer_id = newCustomer();
    const token = await save(customer_id);
    await w.sql(`REVOKE UPDATE ON vault.cards FROM vault_app`);
    try {
      const reply = await remove(w.shop, { customer_id });
      expect([reply.status, reply.at('payment_methods_saved')]).toEqual([200, []]);
      expect((await w.shop.pay({}, { token, customer_id })).code).toBe('241021');
      expect(await w.sql(`SELECT 1 FROM payment.card_removals`)).toHaveLength(1);
    } finally {
      await w.sql(`GRANT UPDATE (spent_order_id, spent_at, cvc_entered_at, delete_after) ON vault.cards TO vault_app`);
    }
    await w.sql(`UPDATE payment.card_removals SET due_at = now()`);
    await until(async () => ((await w.sql(`SELECT 1 FROM payment.card_removals`)).length === 0 ? true : undefined));
    expect(await cardsOf(token)).toEqual([]);
  });

  test.each([
    ['the bank asks the payer', '4242424242424242', { authentication_indicator: 'force_3ds', amount: '1500' }],
    ['the bank wants to see the browser', '4000002760003184', { authentication_indicator: 'ask_3ds' }],
    ['the issuer wants the payer to be asked', '4000002760003184', { authentication_indicator: 'no_3ds' }],
  ])('while %s lets the order go on, and deletes the card after it', async (_, card_number, fields) => {
    const customer_id = newCustomer();
    const token = await w.shop.token({ card_number, token_type: 'recurring' });
    const first = await w.shop.pay({}, { token, customer_id, ...SAVES, ...fields });
    await authenticates(first);
    expect(tokensOf(await read(w.shop, customer_id))).toEqual([token]);
    const waiting = await w.shop.pay({}, { token, customer_id, ...fields });
    expect(waiting.at('status')).toBe('authentication_requested');
    expect((await remove(w.shop, { customer_id })).at('payment_methods_saved')).toEqual([]);
    expect((await w.shop.pay({}, { token, customer_id })).code).toBe('241021');
    await authenticates(waiting);
    const paid = await w.shop.decided(textAt(waiting, 'order_id'));
    expect([paid.at('status'), paid.at('is_authenticated')]).toEqual(['capture_successful', true]);
    await w.sql(`UPDATE payment.card_removals SET due_at = now()`);
    await until(async () => ((await cardsOf(token)).length === 0 ? true : undefined));
  });

  test('while the payer is asked deletes the card once the payer has left', async () => {
    const customer_id = newCustomer();
    const token = await save(customer_id);
    const waiting = await w.shop.pay({}, { token, customer_id, authentication_indicator: 'force_3ds', amount: '1500' });
    expect(waiting.at('status')).toBe('authentication_requested');
    await remove(w.shop, { customer_id });
    expect(await cardsOf(token)).toHaveLength(1);
    await actAt(await toBank(redirectOf(waiting)), 'cancel');
    expect((await w.shop.read(textAt(waiting, 'order_id'))).at('status')).toBe('authentication_declined');
    await w.sql(`UPDATE payment.card_removals SET due_at = now()`);
    await until(async () => ((await cardsOf(token)).length === 0 ? true : undefined));
  });

  test('of a card whose order has succeeded and was not counted yet removes it too', async () => {
    const customer_id = newCustomer();
    const token = await save(customer_id);
    const reply = await remove(w.shop, { customer_id });
    expect(reply.at('payment_methods_saved')).toEqual([]);
    expect((await w.shop.pay({}, { token, customer_id, ...SAVES })).code).toBe('241021');
    expect(savedOf(await read(w.shop, customer_id))).toEqual([]);
  });
});

describe('a subscription', () => {
  const later = { payment_channel: 'recurring' };

  test('is made by a checkout, and known to later orders that have none', async () => {
    const checkout = await w.shop.api('/payment/checkout', {
      body: { ...CHECKOUT_OF(newCustomer()), ...later, token_type: 'recurring', operation_type: 'direct_capture' },
    });
    const subscription_id = textAt(checkout, 'checkout.subscription_id');
    const token = await w.shop.token({ token_type: 'recurring' });
    const first = await w.shop.order({ token, checkout_id: textAt(checkout, 'checkout.checkout_id') });
    expect([first.code, first.at('subscription_id')]).toEqual(['955555', subscription_id]);
    const next = await w.shop.pay({}, { token, subscription_id, ...later, amount: 7 });
    expect([next.code, next.at('subscription_id')]).toEqual(['955555', subscription_id]);
    const synonym = await w.shop.pay({}, { token, subscription_first_id: subscription_id, ...later });
    expect(synonym.code).toBe('955555');
    const other = await w.otherShop();
    const foreign = await other.pay({ token_type: 'recurring' }, { subscription_id, ...later });
    expect([foreign.status, foreign.code, foreign.at('errors.0.field')]).toEqual([400, '111012', 'subscription_id']);
  });

  test('that is named twice is one, else nothing is charged', async () => {
    const subscription = async () =>
      textAt(
        await w.shop.api('/payment/checkout', {
          body: { ...CHECKOUT_OF(newCustomer()), ...later, token_type: 'recurring', operation_type: 'direct_capture' },
        }),
        'checkout.subscription_id',
      );
    const [subscription_id, another] = [await subscription(), await subscription()];
    const token = await w.shop.token({ token_type: 'recurring' });
    const charge = (subscription_first_id: string) =>
      w.shop.pay({}, { token, subscription_id, subscription_first_id, ...later });
    expect((await charge(subscription_id)).code).toBe('955555');
    for (const other of [another, 'a'.repeat(24)]) {
      const refused = await charge(other);
      expect([refused.status, refused.code, refused.at('errors.0.field')]).toEqual([
        400,
        '111012',
        'subscription_first_id',
      ]);
    }
  });
});
