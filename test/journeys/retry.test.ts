// Contract 7.4 and 2.9: PUT /payment/order/{order_id}, with keys, and with fields that replace what the order had.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKOUT, type Reply, textAt, until } from '../client.ts';
import { waitsForOurs } from '../lock-waits.ts';
import { type World, world } from '../world.ts';

const DECLINED = '4000000000009995';
let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

let keys = 0;
const newKey = () => ({ 'idempotency-key': `retry-${keys++}` });

/** A declined order of 25.00 EUR. */
async function declined(): Promise<string> {
  const reply = await w.shop.pay({ card_number: DECLINED });
  expect(reply.at('status')).toBe('authorization_declined');
  return textAt(reply, 'order_id');
}

const retry = (order_id: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  w.shop.api(`/payment/order/${order_id}`, { method: 'PUT', body, headers: { prefer: 'wait=10', ...headers } });
const attempts = async (order_id: string) => {
  const transactions = (await w.shop.read(order_id)).at('transactions');
  return Array.isArray(transactions) ? transactions.length : transactions;
};
const told = (reply: Reply) => [reply.status, reply.code, reply.headers.get('idempotent-replayed')];

describe('the request of an attempt, sent once more without a key', () => {
  test('is answered with its order as it stands, whichever attempt it was; its token pays nothing else', async () => {
    const [first, second] = [await w.shop.token({ card_number: DECLINED }), await w.shop.token()];
    const of = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR' };
    const body = { token: first, ...of, order_merchant_id: 'sent-once-more' };
    const order_id = textAt(await w.shop.order(body, { prefer: 'wait=10' }), 'order_id');
    expect((await retry(order_id, { token: second })).code).toBe('955555');
    const again = await w.shop.order(body, { prefer: 'wait=10' });
    expect([again.status, again.code, again.at('order_id')]).toEqual([200, '955555', order_id]);
    expect(told(await retry(order_id, { token: second }))).toEqual([200, '955555', 'true']);
    for (const token of [first, second]) {
      const other = await w.shop.order({ ...body, token, amount: '24.00' });
      expect([other.status, other.code]).toEqual([400, '241021']);
    }
    expect(await attempts(order_id)).toBe(2);
  });
});

test('amount and currency that are not the order’s are refused, both at once', async () => {
  const order = {
    token: await w.shop.token({ card_number: DECLINED }),
    operation_type: 'authorize',
    amount: '25.00',
    currency: 'EUR',
    order_merchant_id: 'other-money',
  };
  const order_id = textAt(await w.shop.order(order, { prefer: 'wait=10' }), 'order_id');
  const wrong = await retry(order_id, { token: await w.shop.token(), amount: '2500', currency: 'JPY' });
  expect([wrong.status, wrong.at('errors.0.field'), wrong.at('errors.1.field')]).toEqual([400, 'currency', 'amount']);
  const right = await retry(order_id, { token: await w.shop.token(), amount: '25', currency: 'eur' });
  expect([right.status, right.code]).toEqual([200, '944444']);
});

describe('a retry with a key', () => {
  test('is made once, also with a token that could pay again; the same again is told how it stands', async () => {
    const order_id = await declined();
    const body = { token: await w.shop.token({ token_type: 'recurring' }) };
    const headers = newKey();
    expect(told(await retry(order_id, body, headers))).toEqual([200, '955555', null]);
    expect(told(await retry(order_id, body, headers))).toEqual([200, '955555', 'true']);
    expect(await attempts(order_id)).toBe(2);
  });

  test('is made once where it was declined too', async () => {
    const order_id = await declined();
    const body = { token: await w.shop.token({ card_number: DECLINED, token_type: 'recurring' }) };
    const headers = newKey();
    const first = await retry(order_id, body, headers);
    const again = await retry(order_id, body, headers);
    expect([again.status, again.code, again.headers.get('idempotent-replayed')]).toEqual([200, first.code, 'true']);
    expect(await attempts(order_id)).toBe(2);
  });

  test('is refused with another body, and has no effect', async () => {
    const order_id = await declined();
    const headers = newKey();
    await retry(order_id, { token: await w.shop.token({ card_number: DECLINED }) }, headers);
    const other = await retry(order_id, { token: await w.shop.token() }, headers);
    expect([other.status, other.code, other.at('errors.0.field')]).toEqual([422, '111012', 'Idempotency-Key']);
    expect(await attempts(order_id)).toBe(2);
  });

  test('that began later tries is told of them, and not that they have begun', async () => {
    const order_id = await declined();
    const token = await w.shop.token({ card_number: DECLINED, token_type: 'recurring' });
    const body = { token, payment_channel: 'recurring', retry_policy: 'default' };
    const headers = newKey();
    const first = await retry(order_id, body, headers);
    expect([first.status, first.at('retry.state')]).toEqual([200, 'waiting']);
    expect(told(await retry(order_id, body, headers))).toEqual([200, first.code, 'true']);
    const other = await retry(order_id, { ...body, token: await w.shop.token({ token_type: 'recurring' }) });
    expect([other.status, other.at('errors.0.field')]).toEqual([400, 'retry_policy']);
    expect(await attempts(order_id)).toBe(2);
  });

  test('twice at once is one attempt, and both hear of it', async () => {
    const order_id = await declined();
    const body = { token: await w.shop.token({ token_type: 'recurring' }) };
    const headers = newKey();
    const replies = await Promise.all([retry(order_id, body, headers), retry(order_id, body, headers)]);
    expect(replies.map(({ code }) => code)).toEqual(['955555', '955555']);
    expect(await attempts(order_id)).toBe(2);
  });
});

describe('a retry beside others', () => {
  // it changes the way to the vault inside the payment host, which is another process there
  const alone = process.env['FLORIN_TEST_SHAPE'] === 'processes';
  test.skipIf(alone)(
    'whose token an equal one has spent is told of that attempt (skipped over processes)',
    async () => {
      const order_id = await declined();
      const body = { token: await w.shop.token() };
      const { vault } = w.service.tools;
      const { card } = vault;
      const replies: Reply[] = [];
      // between the look at what an equal request did and the look at the card the other one is done
      const spend = async () => {
        Object.assign(vault, { card });
        replies.push(await retry(order_id, body));
        return undefined;
      };
      Object.assign(vault, { card: spend });
      replies.push(await retry(order_id, body));
      expect(replies.map(told)).toEqual([
        [200, '955555', null],
        [200, '955555', 'true'],
      ]);
      expect(await attempts(order_id)).toBe(2);
    },
  );

  test('takes no key in vain where the last attempt of its checkout is used meanwhile', async () => {
    const checkout_id = await w.shop.checkout({ max_attempts: 2 });
    const token = await w.shop.token({ card_number: DECLINED, checkout_id });
    const order_id = textAt(await w.shop.order({ checkout_id, token }, { prefer: 'wait=10' }), 'order_id');
    const [body, headers] = [{ token: await w.shop.token({ checkout_id }) }, newKey()];
    await w.sql('BEGIN');
    await w.sql(`UPDATE payment.checkouts SET attempts = max_attempts WHERE id = decode($1, 'hex')`, [checkout_id]);
    const retrying = retry(order_id, body, headers);
    await until(async () => (await waitsForOurs(w)) > 0 || undefined);
    await w.sql('COMMIT');
    const replies = [await retrying, await retry(order_id, body, headers)];
    expect(replies.map(told)).toEqual([
      [409, '111034', null],
      [409, '111034', null],
    ]);
    expect(await attempts(order_id)).toBe(1);
  });
});

describe('the fields of a retry', () => {
  test('change nothing of what the attempt before was: an authorization stays one', async () => {
    const order_id = textAt(await w.shop.pay({ card_number: DECLINED }, { operation_type: 'authorize' }), 'order_id');
    await retry(order_id, { token: await w.shop.token(), operation_type: 'direct_capture' });
    const read = await w.shop.read(order_id);
    expect([0, 1].map((n) => read.at(`transactions.${n}.type`))).toEqual(['authorize', 'direct_capture']);
    expect(read.at('type')).toBe('direct_capture');
  });

  test('name the order anew where they say so', async () => {
    const order_id = await declined();
    const order_merchant_id = `renamed-${process.pid}`;
    const reply = await retry(order_id, { token: await w.shop.token(), order_merchant_id });
    expect([reply.code, reply.at('order_merchant_id')]).toEqual(['955555', order_merchant_id]);
    expect((await w.shop.read(order_id)).at('order_merchant_id')).toBe(order_merchant_id);
    const found = await w.shop.api(`/payment/order?order_merchant_id=${order_merchant_id}`);
    expect(found.at('orders.0.order_id')).toBe(order_id);
  });

  test('may not take a name under which another order is at a provider', async () => {
    const order_id = await declined();
    const token = await w.shop.token({ card_number: '4000009901000110' });
    const named = {
      operation_type: 'authorize',
      amount: '25.00',
      currency: 'EUR',
      order_merchant_id: `at-${process.pid}`,
    };
    const asleep = await w.shop.order({ token, ...named }, { prefer: 'wait=0' });
    const reply = await retry(order_id, {
      token: await w.shop.token(),
      order_merchant_id: asleep.at('order_merchant_id'),
    });
    expect([reply.status, reply.code, reply.at('order_id')]).toEqual([409, '111035', asleep.at('order_id')]);
  });

  test.each([
    ['shipping_price', { shipping_price: '1.2345' }],
    ['giftcard_amount', { giftcard_amount: '1.2345' }],
    ['subscription_id', { subscription_id: '0'.repeat(24) }],
    ['amount', { amount: '25.01' }],
  ])('are checked as those of an order: %s', async (field, fields) => {
    const order_id = await declined();
    const reply = await retry(order_id, { token: await w.shop.token(), ...fields });
    expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([400, '111012', field]);
    expect(await attempts(order_id)).toBe(1);
  });

  test('may lower max_attempts, and then hold for the attempts that were made', async () => {
    const order_id = await declined();
    const none = await retry(order_id, { token: await w.shop.token(), max_attempts: 1 });
    expect([none.status, none.code, none.at('order_id'), await attempts(order_id)]).toEqual([
      409,
      '111034',
      order_id,
      1,
    ]);
    const second = await retry(order_id, { token: await w.shop.token({ card_number: DECLINED }), max_attempts: 2 });
    expect([second.at('status'), second.at('attempts_remaining')]).toEqual(['authorization_declined', 0]);
    expect((await retry(order_id, { token: await w.shop.token() })).code).toBe('111034');
  });

  test('are named together, the token that is missing with them', async () => {
    const order_id = await declined();
    const reply = await retry(order_id, { amount: '25.01', checkout_id: '0'.repeat(24), shipping_price: '1.2345' });
    const errors = reply.at('errors');
    const fields = Array.isArray(errors) ? errors.map((error) => (error as { field: string }).field) : errors;
    expect([reply.status, reply.code, fields]).toEqual([
      400,
      '111011',
      ['token', 'checkout_id', 'amount', 'shipping_price'],
    ]);
  });

  test.each([{}, { currency: 'EUR' }])('name an amount with too many decimals once, also with %j', async (currency) => {
    const reply = await retry(await declined(), { token: await w.shop.token(), amount: '25.001', ...currency });
    expect([reply.status, reply.at('errors')]).toEqual([
      400,
      [{ field: 'amount', code: '111012', message: 'has more decimals than the currency allows' }],
    ]);
  });

  test('are those of its attempt: the ones before it show what they were sent with', async () => {
    const body = {
      operation_type: 'authorize',
      payment_channel: 'moto',
      customer_id: 'tries-again',
      customer_email: 'first@mail.example',
      customer_city: 'Oslo',
      customer_ip: '203.0.113.7',
    };
    const order = await w.shop.pay({ card_number: DECLINED }, { ...body, order_merchant_id: 'first-name' });
    const order_id = textAt(order, 'order_id');
    const second = { token: await w.shop.token({ card_number: DECLINED }), payment_channel: 'e-commerce' };
    await retry(order_id, { ...second, customer_email: 'second@mail.example', shipping_address_city: 'Bergen' });
    const third = { token: await w.shop.token(), customer_city: 'Hamar', order_merchant_id: 'third-name' };
    expect((await retry(order_id, third)).code).toBe('944444');
    const read = await w.shop.read(order_id);
    const names = ['payment_channel', 'customer_email', 'customer_city', 'shipping_address_city', 'order_merchant_id'];
    const shown = [0, 1, 2].map((i) => names.map((name) => read.at(`transactions.${i}.${name}`)));
    expect(shown).toEqual([
      ['moto', 'first@mail.example', 'Oslo', undefined, 'first-name'],
      ['e-commerce', 'second@mail.example', 'Oslo', 'Bergen', 'first-name'],
      ['e-commerce', 'second@mail.example', 'Hamar', 'Bergen', 'third-name'],
    ]);
    expect([0, 1, 2].map((i) => read.at(`transactions.${i}.customer_ip`))).toEqual(Array(3).fill('203.0.113.7'));
    expect(['payment_channel', 'customer_email'].map((name) => read.at(name))).toEqual([
      'e-commerce',
      'second@mail.example',
    ]);
  });

  test('of another customer show nothing of the one before, who can be erased by their id no more', async () => {
    const of = (customer_id: string) => ({ customer_id, customer_email: `${customer_id}@mail.example` });
    const reply = await w.shop.pay({ card_number: DECLINED }, { ...of('before'), customer_city: 'Oslo' });
    const order_id = textAt(reply, 'order_id');
    expect((await retry(order_id, { token: await w.shop.token(), ...of('behind') })).code).toBe('955555');
    const read = await w.shop.read(order_id);
    const shown = ['customer_id', 'customer_email', 'customer_city'].map((name) => [
      read.at(`transactions.0.${name}`),
      read.at(`transactions.1.${name}`),
    ]);
    expect(shown).toEqual([
      [undefined, 'behind'],
      [undefined, 'behind@mail.example'],
      [undefined, 'Oslo'],
    ]);
    const kept = await w.sql(`SELECT 1 FROM payment.transactions t WHERE t::text LIKE '%before@mail%'`);
    expect(kept).toEqual([]);
  });

  test('of another customer show nothing of what the one before was tried with twice, either', async () => {
    const of = (customer_id: string, email: string) => ({ customer_id, customer_email: `${email}@mail.example` });
    const reply = await w.shop.pay({ card_number: DECLINED }, of('tried-twice', 'old'));
    const order_id = textAt(reply, 'order_id');
    const again = { token: await w.shop.token({ card_number: DECLINED }), customer_email: 'later@mail.example' };
    await retry(order_id, { ...again, payment_channel: 'moto' });
    const last = { token: await w.shop.token(), ...of('comes-after', 'new'), payment_channel: 'e-commerce' };
    expect((await retry(order_id, last)).code).toBe('955555');
    const read = await w.shop.read(order_id);
    const shown = [0, 1, 2].map((i) => [
      read.at(`transactions.${i}.customer_email`),
      read.at(`transactions.${i}.payment_channel`),
    ]);
    expect(shown).toEqual([
      [undefined, 'e-commerce'],
      [undefined, 'moto'],
      ['new@mail.example', 'e-commerce'],
    ]);
    const kept = await w.sql(`SELECT 1 FROM payment.transactions t WHERE t::text LIKE '%old@mail%'`);
    expect(kept).toEqual([]);
  });

  test('of an order on a checkout are those of the checkout where the order names none, at each attempt', async () => {
    const person = { customer_id: 'of-the-checkout', customer_email: 'checkout@mail.example', customer_city: 'Oslo' };
    const checkout_id = await w.shop.checkout(person);
    const token = async (card_number?: string) =>
      w.shop.token({ checkout_id, ...(card_number !== undefined && { card_number }) });
    const reply = await w.shop.order({ checkout_id, token: await token(DECLINED) });
    const order_id = textAt(reply, 'order_id');
    await w.shop.decided(order_id);
    await retry(order_id, { token: await token(), customer_city: 'Hamar' });
    const read = await w.shop.read(order_id);
    const names = ['customer_id', 'customer_email', 'customer_city'];
    expect([0, 1].map((i) => names.map((name) => read.at(`transactions.${i}.${name}`)))).toEqual([
      ['of-the-checkout', 'checkout@mail.example', 'Oslo'],
      ['of-the-checkout', 'checkout@mail.example', 'Hamar'],
    ]);
    const kept = await w.sql(
      `SELECT otherwise FROM payment.transactions WHERE order_id = decode($1, 'hex') ORDER BY attempt`,
      [order_id],
    );
    expect(kept).toEqual([{ otherwise: { customer_city: 'Oslo' } }, { otherwise: null }]);
  });

  test('name another subscription by either of its two names', async () => {
    const subscription = async () => {
      const recurring = { payment_channel: 'recurring', token_type: 'recurring' };
      const body = { ...CHECKOUT, ...recurring };
      return textAt(await w.shop.api('/payment/checkout', { body }), 'checkout.subscription_id');
    };
    const [before, now] = [await subscription(), await subscription()];
    const recurring = { payment_channel: 'recurring', subscription_id: before };
    const order = await w.shop.pay({ card_number: DECLINED, token_type: 'recurring' }, recurring);
    expect(order.at('subscription_id')).toBe(before);
    const token = await w.shop.token({ token_type: 'recurring' });
    const reply = await retry(textAt(order, 'order_id'), { token, subscription_first_id: now });
    expect([reply.code, reply.at('subscription_id')]).toEqual(['955555', now]);
  });

  test('of an order on a checkout: the gift card has the currency of the checkout', async () => {
    const checkout_id = await w.shop.checkout();
    const token = await w.shop.token();
    const reply = await w.shop.order({ checkout_id, token, giftcard_amount: '1.2345' });
    expect([reply.status, reply.at('errors.0.field')]).toEqual([400, 'giftcard_amount']);
  });
});
