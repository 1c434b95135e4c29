// An order that was tried again (contract 7.4): what was said of the payer belongs to the attempt it was said of.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { authenticates, open, redirectOf } from './payer.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const CHALLENGE = { card_number: '4000002760003184' };
const DECLINED = { card_number: '4000000000000341' };
const FORCE = { authentication_indicator: 'force_3ds' };
const OUTSIDE = { eci: '05', cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', pares_status: 'Y', version: '2.2.0', x_id: 'x1' };

/** Another attempt of an order, with another card. */
async function retry(order: Reply, card: object, fields: object = {}): Promise<Reply> {
  return w.shop.api(`/payment/order/${textAt(order, 'order_id')}`, {
    method: 'PUT',
    body: { token: await w.shop.token(card), ...fields },
    headers: { prefer: 'wait=10' },
  });
}

describe('an authentication made elsewhere', () => {
  test('is of the card it came with: another card is authenticated anew', async () => {
    const declined = await w.shop.pay(DECLINED, { ...FORCE, '3ds_data': OUTSIDE });
    expect([declined.code, declined.at('authentication_result')]).toEqual(['420188', 'success']);
    const again = await retry(declined, CHALLENGE);
    expect([again.at('status'), again.at('is_authenticated'), again.at('authentication_result')]).toEqual([
      'authentication_requested',
      false,
      '',
    ]);
  });

  test('is never claimed for an attempt without it', async () => {
    const declined = await w.shop.pay(DECLINED, { '3ds_data': OUTSIDE });
    const again = await retry(declined, {}, { authentication_indicator: 'no_3ds' });
    expect([again.code, again.at('is_authenticated'), again.at('authentication_result')]).toEqual([
      '955555',
      false,
      '',
    ]);
  });

  test('that comes with the new card is said of that attempt alone', async () => {
    const declined = await w.shop.pay(DECLINED);
    const again = await retry(declined, CHALLENGE, { ...FORCE, '3ds_data': OUTSIDE });
    expect([again.code, again.at('is_authenticated'), again.at('authentication_result')]).toEqual([
      '955555',
      true,
      'success',
    ]);
    const read = await w.shop.read(textAt(again, 'order_id'));
    expect(read.at('transactions')).toMatchObject([
      { authentication_result: null, is_authenticated: false },
      { authentication_result: 'success', is_authenticated: true },
    ]);
  });
});

test('an exemption is accepted by the issuer that approved, not by the one that declined', async () => {
  const declined = await w.shop.pay(DECLINED, { sca_exemption_reason: 'low_value' });
  const read = await w.shop.read(textAt(await retry(declined, {}), 'order_id'));
  expect(read.at('transactions')).toMatchObject([
    { authentication_result: null },
    { authentication_result: 'accepted' },
  ]);
});

describe('the page of a payer', () => {
  const URLS = { accept_url: 'https://shop.example/back?ok=1', decline_url: 'https://shop.example/back?ok=0' };
  const ASK = { authentication_indicator: 'ask_3ds', ...URLS };

  test('of an attempt that was declined leads where it led, whatever a later attempt does', async () => {
    const first = await w.shop.pay(CHALLENGE, ASK);
    expect((await authenticates(first, '1111')).location).toBe(URLS.decline_url);
    const again = await retry(first, CHALLENGE);
    const page = redirectOf(first);
    expect((await open(page)).location).toBe(URLS.decline_url);
    expect(await (await fetch(`${page}/status`)).json()).toMatchObject({ next: 'reload' });
    expect((await authenticates(again)).location).toBe(URLS.accept_url);
    expect((await open(page)).location).toBe(URLS.decline_url);
    expect((await open(redirectOf(again))).location).toBe(URLS.accept_url);
  });

  test('that paid leads to accept_url, also when the payment was cancelled later', async () => {
    const paid = await w.shop.pay(CHALLENGE, { ...ASK, operation_type: 'authorize' });
    expect((await authenticates(paid)).location).toBe(URLS.accept_url);
    const cancel = `/payment/maintenance/cancel/${textAt(paid, 'order_id')}`;
    expect((await w.shop.api(cancel, { method: 'POST' })).code).toBe('977777');
    expect((await open(redirectOf(paid))).location).toBe(URLS.accept_url);
  });

  test('that paid at the second provider leads to accept_url too', async () => {
    const reply = await w.shop.pay({ card_number: '4000009901000052' }, { ...ASK, amount: '1000' });
    expect((await authenticates(reply)).location).toBe(URLS.accept_url);
  });

  test('that is over does nothing to the attempt that is under way', async () => {
    const first = await w.shop.pay(CHALLENGE, ASK);
    await authenticates(first, '1111');
    const again = await retry(first, CHALLENGE);
    const order_id = textAt(first, 'order_id');
    const states = () =>
      w.sql(`SELECT state FROM payment.authentications WHERE order_id = decode($1, 'hex') ORDER BY created_at`, [
        order_id,
      ]);
    const before = [await states(), (await w.shop.read(order_id)).at('order_version')];
    expect(again.at('status')).toBe('authentication_requested');
    for (const suffix of ['/seen', '/method', '/back'])
      await fetch(redirectOf(first) + suffix, { method: 'POST', redirect: 'manual', body: new URLSearchParams() });
    expect([await states(), (await w.shop.read(order_id)).at('order_version')]).toEqual(before);
  });
});

test('an order of a channel that is never authenticated is authenticated as it asked to be, once its payer comes', async () => {
  const of_telephone = await w.shop.pay(DECLINED, { ...FORCE, payment_channel: 'moto' });
  expect([of_telephone.code, of_telephone.at('authentication_indicator')]).toEqual(['420188', 'no_3ds']);
  const read = await w.shop.read(textAt(of_telephone, 'order_id'));
  expect([read.at('authentication_indicator'), read.at('transactions.0.authentication_indicator')]).toEqual([
    'no_3ds',
    'no_3ds',
  ]);
  const again = await retry(of_telephone, CHALLENGE, { payment_channel: 'e-commerce' });
  expect([again.code, again.at('status'), again.at('authentication_indicator')]).toEqual([
    '421080',
    'authentication_requested',
    'force_3ds',
  ]);
});
