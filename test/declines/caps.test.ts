// The limits of card schemes over HTTP: what is counted, who is held back, who is not, and that eight connections at
// once never pass a limit.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cardDigest } from '../../src/payment/card-digest.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { type Client, type Reply, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const VISA = { card_number: '4242424242424242' };
const MASTERCARD = { card_number: '5555555555554444' };

/** The merchant alone, with a card that was stored: each time under a new reference. */
const alone = (card: object, fields: object = {}) =>
  w.shop.pay({ ...card, token_type: 'recurring' }, { payment_channel: 'recurring', ...fields });
/** The payer, with a card that is to pay again. */
const payer = (card: object, fields: object = {}) => w.shop.pay({ ...card, token_type: 'recurring' }, fields);

const words = (reply: Reply) => [reply.code, reply.at('status'), textAt(reply, 'psp_result_description')];
const rows = () =>
  w.sql<{ initiator: string; open: boolean; category: number | null; advice: string | null; stopped: boolean }>(
    `SELECT initiator, open, category, advice, stopped FROM payment.declines ORDER BY at`,
  );
const arm = (body: object) => w.shop.api('/sandbox/scenario', { body: { operation: 'direct_capture', ...body } });
/** An account of its own with these settings, which no process has read yet. */
async function shopWith(settings: object): Promise<{ readonly shop: Client; readonly id: string }> {
  const before = await accounts();
  const shop = await w.otherShop();
  const [id = ''] = (await accounts()).filter((one) => !before.includes(one));
  await changeSettings(w.service.tools, id, { ...settings });
  return { shop, id };
}
const accounts = async () =>
  (await w.sql<{ id: string }>(`SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts`)).map(
    ({ id }) => id,
  );

/** What the books would hold of a card: so many declines, a minute apart. */
async function declined(
  card_number: string,
  count: number,
  more: { initiator?: string; minor?: number; shop?: Client; id?: string } = {},
) {
  const { shop = w.shop, id = w.account } = more;
  const reply = await shop.vault('/token', {
    body: { card_number, card_validity_month: '12', card_validity_year: '2034', cvc: '123' },
  });
  const digest = cardDigest(w.service.tools.secret_key, id, textAt(reply, 'card_unique_id').toLowerCase());
  await w.sql(
    `INSERT INTO payment.declines (merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme, amount_minor, currency, open)
     SELECT decode($1, 'hex'), decode($2, 'hex'), payment.now() - make_interval(mins => n::int), substr(sha256(n::text::bytea), 1, 12),
       (SELECT encode(id, 'hex') FROM payment.contracts WHERE provider = 'simulator' AND merchant_account_id = decode($1, 'hex')),
       $4, 'any', $5, 'EUR', false
     FROM generate_series(1, $3::int) n`,
    [id, digest, count, more.initiator ?? 'm', more.minor ?? 2500],
  );
}

beforeEach(async () => {
  await w.sql('DELETE FROM payment.declines');
  await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
});

test('a decline of the bank goes to no other provider by itself, though one would approve it (declines.md)', async () => {
  const card = { card_number: '4000009908000022' };
  const reply = await w.shop.pay(card);
  expect([reply.code, reply.at('payin_partner'), reply.at('retry_class')]).toEqual([
    '420188',
    'simulator',
    'other_route_soft',
  ]);
  expect((await w.shop.read(textAt(reply, 'order_id'))).at('transactions.1')).toBeUndefined();
  const elsewhere = await w.shop.pay(card, { merchant_contract: 'simulator_b' });
  expect([elsewhere.code, elsewhere.at('payin_partner')]).toEqual(['955555', 'simulator_b']);
});

test('where the account asks for it, a decline without a reason goes to the next provider once, with the payer there', async () => {
  const { shop } = await shopWith({ fallback_on_generic_decline: true });
  const card = { card_number: '4000009908000022' };
  const reply = await shop.pay(card);
  expect([reply.code, reply.at('payin_partner')]).toEqual(['955555', 'simulator_b']);
  const read = await shop.read(textAt(reply, 'order_id'));
  expect([read.at('transactions.0.retry_class'), read.at('transactions.1.is_fallback')]).toEqual([
    'other_route_soft',
    true,
  ]);
  const alone_too = await shop.pay({ ...card, token_type: 'recurring' }, { payment_channel: 'recurring' });
  expect([alone_too.code, alone_too.at('payin_partner')]).toEqual(['420188', 'simulator']);
  const advised = await shop.pay({ card_number: '5300000000000105' });
  expect([advised.at('payin_partner'), advised.at('retry_class')]).toEqual(['simulator', 'later']);
});

describe('what is counted', () => {
  test("a payer's decline, with its advice and what follows it; an approval is not", async () => {
    const reply = await payer({ card_number: '5300000000000105' });
    expect(reply.code).toBe('420100');
    const read = await w.shop.read(textAt(reply, 'order_id'));
    expect([read.at('transactions.0.retry_class'), read.at('transactions.0.advice_code')]).toEqual([
      'later',
      'mastercard:25',
    ]);
    await payer(VISA);
    await alone(VISA);
    expect(await rows()).toEqual([
      { initiator: 'p', open: false, category: null, advice: 'mastercard:25', stopped: false },
    ]);
  });

  test('a try without a payer from its acceptance on, and no more once it is proved that it was never sent', async () => {
    await arm({ fault: 'drop_before', match: { card_4_digits: '4242' } });
    const reply = await w.shop.pay(
      { ...VISA, token_type: 'recurring' },
      { payment_channel: 'recurring', order_merchant_id: 'in-doubt' },
    );
    expect([reply.code, (await rows()).map(({ open }) => open)]).toEqual(['421080', [true]]);
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 3600 } });
    await until(async () => ((await rows()).length === 0 ? true : undefined));
    await arm({ fault: 'refuse_connection', times: 2 });
    expect([(await alone(VISA)).code, await rows()]).toEqual(['420410', []]);
  });
});

describe('without a payer', () => {
  test('a card that its scheme advised to stop is tried by nobody, until its payer pays with it', async () => {
    expect((await alone({ card_number: '5300000000000204' })).code).toBe('420188');
    const held = await alone({ card_number: '5300000000000204' });
    expect(words(held)).toEqual([
      '421081',
      'authorization_declined',
      "held back: the card's scheme advised 03, do not try again, until the card changes or its payer pays with it",
    ]);
    const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(held, 'order_id')}`);
    expect(books.at('entries')).toEqual([]);
    const read = await w.shop.read(textAt(held, 'order_id'));
    expect([read.at('transactions.0.operations'), read.at('attempts_remaining')]).toEqual([[], 2]);
    // another date of expiry: the card has changed
    const changed = { card_number: '5300000000000204', card_validity_year: '2035' };
    expect((await alone(changed)).code).toBe('420188');
  });

  test('category 1 stops a Visa card, and what its payer pays with it lifts that', async () => {
    const card = { card_number: '4000009908000030' };
    const first = await payer(card);
    expect([first.code, (await rows()).map(({ category, stopped }) => [category, stopped])]).toEqual([
      '421127',
      [[1, true]],
    ]);
    expect(words(await alone(card))[2]).toContain('category 1');
    const token = await w.shop.token({ ...card, token_type: 'recurring' });
    const again = await w.shop.api(`/payment/order/${textAt(first, 'order_id')}`, {
      method: 'PUT',
      body: { token },
      headers: { prefer: 'wait=10' },
    });
    expect(again.code).toBe('955555');
    expect((await rows()).map(({ stopped }) => stopped)).toEqual([false]);
    expect((await alone(card)).code).toBe('421127');
  });

  test('nothing is tried before the time that the scheme advised', async () => {
    const card = { card_number: '5300000000000105' };
    expect((await alone(card)).code).toBe('420100');
    expect(words(await alone(card))[2]).toMatch(/^held back: the card's scheme advised to wait until \d{4}-/);
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 86_401 } });
    expect((await alone(card)).code).toBe('420100');
  });

  test("at Visa the payer's own declines are counted apart, and 18 without them are the end", async () => {
    await declined(VISA.card_number, 18, { initiator: 'p' });
    expect((await alone(VISA)).code).toBe('955555');
    await declined(VISA.card_number, 18);
    expect(words(await alone(VISA))[2]).toBe(
      'held back: 18 tries of this card within 30 days were declined or are undecided (reattempts)',
    );
  });

  test('at Mastercard everybody counts, in a day; of the same amount, in a month', async () => {
    await declined(MASTERCARD.card_number, 8, { initiator: 'p' });
    expect(words(await alone(MASTERCARD))[2]).toContain('excessive_attempts_day');
    await w.sql('DELETE FROM payment.declines');
    await declined(MASTERCARD.card_number, 33, { minor: 100 });
    await w.sql(`UPDATE payment.declines SET at = at - interval '2 days'`);
    expect((await alone(MASTERCARD)).code).toBe('955555');
    await declined(MASTERCARD.card_number, 33);
    await w.sql(`UPDATE payment.declines SET at = at - interval '2 days' WHERE amount_minor = 2500`);
    expect(words(await alone(MASTERCARD))[2]).toContain('excessive_attempts_month');
  });

  test('of eight at once on the last place one is sent', async () => {
    await declined(MASTERCARD.card_number, 7);
    await arm({ fault: 'decline', times: 8 });
    const token = await w.shop.token({ ...MASTERCARD, token_type: 'recurring' });
    const racing = Array.from({ length: 8 }, (_, i) =>
      w.shop.order(
        {
          token,
          payment_channel: 'recurring',
          operation_type: 'direct_capture',
          amount: '25.00',
          currency: 'EUR',
          order_merchant_id: `race-${i}`,
        },
        { prefer: 'wait=10' },
      ),
    );
    const codes = (await Promise.all(racing)).map(({ code }) => code);
    expect(codes.map(String).toSorted((a, b) => a.localeCompare(b))).toEqual([
      '420188',
      ...Array.from({ length: 7 }, () => '421081'),
    ]);
    expect(await rows()).toHaveLength(8);
  });

  test('an account that only counts sends it', async () => {
    const own = await shopWith({ caps_merchant: 'warn' });
    await declined(VISA.card_number, 18, own);
    const reply = await own.shop.pay(
      { card_number: '4000009908000014', token_type: 'recurring' },
      { payment_channel: 'recurring' },
    );
    expect([reply.code, (await rows()).length]).toEqual(['420188', 19]);
    expect((await own.shop.pay({ ...VISA, token_type: 'recurring' }, { payment_channel: 'recurring' })).code).toBe(
      '955555',
    );
  });
});

describe('with the payer there', () => {
  test('it is counted and sent, unless the account holds it back; then no key is taken in vain', async () => {
    await declined(MASTERCARD.card_number, 8, { initiator: 'p' });
    expect((await payer(MASTERCARD)).code).toBe('955555');
    const own = await shopWith({ caps_payer: 'hold' });
    await declined(MASTERCARD.card_number, 8, { ...own, initiator: 'p' });
    const body = {
      token: await own.shop.token(MASTERCARD),
      operation_type: 'direct_capture',
      amount: '25.00',
      currency: 'EUR',
      order_merchant_id: 'held-with-key',
    };
    const headers = { prefer: 'wait=10', 'idempotency-key': 'held-1' };
    const [first, again] = [await own.shop.order(body, headers), await own.shop.order(body, headers)];
    expect([first.code, again.code, again.at('order_id')]).toEqual(['421081', '421081', first.at('order_id')]);
  });

  test('the next provider is not asked where the limit of the card is reached at its acceptor', async () => {
    await w.sql(`UPDATE payment.contracts SET acceptor = 'one merchant number'`);
    try {
      await declined('4000000000000119', 18, { initiator: 'p' });
      await w.sql(`UPDATE payment.declines SET acceptor = 'one merchant number'`);
      const reply = await payer({ card_number: '4000000000000119' });
      const read = await w.shop.read(textAt(reply, 'order_id'));
      expect([reply.code, read.at('transactions.1')]).toEqual(['420410', undefined]);
      const [held] = await w.sql<{ held: object }>(
        `SELECT held FROM payment.transactions WHERE held IS NOT NULL ORDER BY created_at DESC LIMIT 1`,
      );
      expect(held?.held).toMatchObject({ who: 'fallback', why: 'limit', rule: 'reattempts' });
    } finally {
      await w.sql(`UPDATE payment.contracts SET acceptor = NULL`);
    }
  });
});
