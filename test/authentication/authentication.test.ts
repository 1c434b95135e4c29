// Contract 10 over HTTP: who is asked, what the bank's word does, and what a browser cannot do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type Got, receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';
import { actAt, authenticates, formOf, open, redirectOf, toBank } from './payer.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
});
afterAll(() => w[Symbol.asyncDispose]());

const CHALLENGE = { card_number: '4000002760003184' };
const ASK = { authentication_indicator: 'ask_3ds' };
const FORCE = { authentication_indicator: 'force_3ds' };
const URLS = { accept_url: 'https://shop.example/back?ok=1', decline_url: 'https://shop.example/back?ok=0' };

const statuses = async (order_id: string) => {
  const read = await w.shop.read(order_id);
  const history = read.at('transactions') as readonly { status_history: readonly { status: string; code: string }[] }[];
  return history.at(-1)?.status_history.map(({ status, code }) => `${status} ${code}`);
};

test("an order by the API on a checkout with a hosted page asks as the page does; its own word and the checkout's win", async () => {
  let carts = 0;
  const pay = async (own: object, checkout: object) => {
    const order_merchant_id = `hosted-by-api-${++carts}`;
    const checkout_id = await w.shop.checkout({ operation_type: 'direct_capture', order_merchant_id, ...checkout });
    return w.shop.order({ token: await w.shop.token(), checkout_id, ...own }, { prefer: 'wait=10' });
  };
  const asked = await Promise.all([
    pay({}, { type: 'hosted_page' }),
    pay({}, { type: 'mail_to_pay' }),
    pay({}, { type: 'api' }),
    pay({ authentication_indicator: 'no_3ds' }, { type: 'hosted_page' }),
    pay({}, { type: 'hosted_page', authentication_indicator: 'no_3ds' }),
  ]);
  expect(asked.map((one) => [one.code, one.at('authentication_indicator'), one.at('is_authenticated')])).toEqual([
    ['955555', 'ask_3ds', true],
    ['955555', 'ask_3ds', true],
    ['955555', 'no_3ds', false],
    ['955555', 'no_3ds', false],
    ['955555', 'no_3ds', false],
  ]);
});

describe('nobody must act', () => {
  test('below 1000 the bank says yes by itself, and the evidence goes into the authorization', async () => {
    const reply = await w.shop.pay({}, ASK);
    expect([
      reply.code,
      reply.at('is_authenticated'),
      reply.at('authentication_result'),
      reply.at('redirect_url'),
    ]).toEqual(['955555', true, 'success', undefined]);
    expect(await statuses(textAt(reply, 'order_id'))).toEqual([
      'created 421080',
      'authentication_successful 421080',
      'authorization_requested 421080',
      'authorization_successful 944444',
      'capture_successful 955555',
    ]);
    const read = await w.shop.read(textAt(reply, 'order_id'));
    expect(read.at('transactions.0.operations.0')).toMatchObject({
      type: 'authentication',
      state: 'successful',
      partner_result_code: 'Y',
    });
  });

  test.each([
    ['4000009907000015', 'card_not_enrolled', '955555', '320120'],
    ['4000009907000049', 'unavailable', '955555', '320310'],
    ['4000008400001280', 'directory down', '955555', '320310'],
    ['4000009993200883', 'contradictory', '955555', '320088'],
  ])('%s (%s): ask_3ds goes on without, force_3ds does not', async (card_number, _, asked, forced) => {
    const one = await w.shop.pay({ card_number }, ASK);
    expect([one.code, one.at('is_authenticated'), one.at('authentication_result')]).toEqual([
      asked,
      false,
      'not_available',
    ]);
    const other = await w.shop.pay({ card_number }, FORCE);
    expect([other.code, other.at('status'), other.at('authorization_code')]).toEqual([
      forced,
      'authentication_declined',
      '',
    ]);
  });

  test.each([
    ['4000009993410003', '341000'],
    ['4000009993100703', '310070'],
  ])('%s ends with %s under ask_3ds too', async (card_number, code) => {
    const reply = await w.shop.pay({ card_number }, ASK);
    expect([reply.code, reply.at('status'), reply.at('authentication_result')]).toEqual([
      code,
      'authentication_declined',
      'failed',
    ]);
  });

  test('an attempt counts', async () => {
    const reply = await w.shop.pay({ card_number: '4000009907000031' }, FORCE);
    expect([reply.code, reply.at('authentication_result'), reply.at('is_authenticated')]).toEqual([
      '955555',
      'attempted',
      true,
    ]);
  });

  test('moto is never asked', async () => {
    const reply = await w.shop.pay(CHALLENGE, { ...FORCE, payment_channel: 'moto' });
    expect([reply.code, reply.at('status'), reply.at('redirect_url')]).toEqual([
      '420150',
      'authorization_declined',
      undefined,
    ]);
  });
});

describe('the payer must act', () => {
  test('1234: the address comes with the answer, the bank tells us, the payer lands at accept_url', async () => {
    const reply = await w.shop.pay(CHALLENGE, { ...ASK, ...URLS });
    expect([reply.status, reply.code, reply.at('status')]).toEqual([200, '421080', 'authentication_requested']);
    const order_id = textAt(reply, 'order_id');
    expect((await w.shop.read(order_id)).at('redirect_url')).toBe(redirectOf(reply));
    const end = await authenticates(reply);
    expect([end.status, end.location]).toEqual([303, URLS.accept_url]);
    const read = await w.shop.read(order_id);
    expect([read.at('status'), read.at('is_authenticated'), read.at('redirect_url')]).toEqual([
      'capture_successful',
      true,
      undefined,
    ]);
    expect(await statuses(order_id)).toEqual([
      'created 421080',
      'authentication_requested 421080',
      'authentication_successful 421080',
      'authorization_requested 421080',
      'authorization_successful 944444',
      'capture_successful 955555',
    ]);
    // opened again after the outcome: the same
    expect((await open(redirectOf(reply))).location).toBe(URLS.accept_url);
  });

  test('1000 and more meets a challenge, whatever the card', async () => {
    const reply = await w.shop.pay({}, { ...ASK, amount: '1000' });
    expect(reply.at('status')).toBe('authentication_requested');
    expect((await authenticates(reply)).html).toContain('Paid');
  });

  test.each([
    ['7777', 'capture_successful', '955555', 'attempted'],
    ['1111', 'authentication_declined', '341000', 'failed'],
    ['2222', 'authentication_declined', '341000', 'failed'],
    ['3333', 'capture_successful', '955555', 'not_available'],
  ])('code %s', async (code, status, result, word) => {
    const reply = await w.shop.pay({}, { ...ASK, ...URLS, amount: '1000' });
    const end = await authenticates(reply, code);
    expect(end.location).toBe(result === '955555' ? URLS.accept_url : URLS.decline_url);
    const read = await w.shop.read(textAt(reply, 'order_id'));
    expect([read.at('status'), read.code, read.at('authentication_result')]).toEqual([status, result, word]);
  });

  test('3333 under force_3ds', async () => {
    const reply = await w.shop.pay({}, { ...FORCE, amount: '1000' });
    await authenticates(reply, '3333');
    expect((await w.shop.read(textAt(reply, 'order_id'))).code).toBe('320310');
  });

  test('cancel at the bank', async () => {
    const reply = await w.shop.pay(CHALLENGE, { ...ASK, ...URLS });
    const end = await actAt(await toBank(redirectOf(reply)), 'cancel');
    expect(end.location).toBe(URLS.decline_url);
    const read = await w.shop.read(textAt(reply, 'order_id'));
    expect([read.code, read.at('status')]).toEqual(['361000', 'authentication_declined']);
    const capture = await w.shop.api(`/payment/maintenance/capture/${textAt(reply, 'order_id')}`, { method: 'POST' });
    expect([capture.status, capture.code]).toEqual([409, '521100']);
  });

  test('silence: after challenge_minutes it is over', async () => {
    const reply = await w.shop.pay({ card_number: '4000009907000023' }, ASK);
    const order_id = textAt(reply, 'order_id');
    expect(reply.at('status')).toBe('authentication_requested');
    await w.sql(`UPDATE payment.authentications SET due_at = payment.now() WHERE order_id = decode($1, 'hex')`, [
      order_id,
    ]);
    const read = await until(async () => {
      const seen = await w.shop.read(order_id);
      return seen.at('status') === 'authentication_declined' ? seen : undefined;
    });
    expect(read.code).toBe('320001');
  });

  test.each([
    ['4000008260003178', '420100'],
    ['4000008400001629', '420188'],
  ])('%s authenticates and is declined with %s', async (card_number, code) => {
    const reply = await w.shop.pay({ card_number }, ASK);
    await authenticates(reply);
    expect((await w.shop.read(textAt(reply, 'order_id'))).code).toBe(code);
  });

  test('the cancel of the merchant ends it at once, and the payer’s page dies', async () => {
    const reply = await w.shop.pay(CHALLENGE, { ...ASK, ...URLS });
    const order_id = textAt(reply, 'order_id');
    const bank = await toBank(redirectOf(reply));
    const cancel = await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { method: 'POST' });
    expect([cancel.status, cancel.code, cancel.at('status'), cancel.at('cancellation_result')]).toEqual([
      200,
      '977777',
      'authorization_cancelled',
      'success',
    ]);
    expect((await actAt(bank, { code: '1234' })).location).toBe(URLS.decline_url);
    expect((await w.shop.read(order_id)).at('status')).toBe('authorization_cancelled');
    const again = await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { method: 'POST' });
    expect([again.status, again.code]).toEqual([409, '711032']);
  });

  test('a payer who begins again ends the order that only waits for them', async () => {
    const fields = { ...ASK, order_merchant_id: 'again-1' };
    const first = await w.shop.pay(CHALLENGE, fields);
    const second = await w.shop.pay({}, fields);
    expect(second.code).toBe('955555');
    const read = await w.shop.read(textAt(first, 'order_id'));
    expect([read.code, read.at('status')]).toEqual(['361000', 'authentication_declined']);
  });

  test('the order can be tried again with another card', async () => {
    const first = await w.shop.pay(CHALLENGE, ASK);
    await authenticates(first, '1111');
    const token = await w.shop.token();
    const again = await w.shop.api(`/payment/order/${textAt(first, 'order_id')}`, {
      method: 'PUT',
      body: { token },
      headers: { prefer: 'wait=10' },
    });
    expect([again.code, again.at('is_authenticated')]).toEqual(['955555', true]);
  });
});

describe('the issuer asks', () => {
  test('no_3ds: 420150 and an address in the first answer; the same order goes on', async () => {
    const reply = await w.shop.pay(CHALLENGE, URLS);
    expect([reply.status, reply.code, reply.at('status')]).toEqual([200, '420150', 'authentication_requested']);
    expect((await authenticates(reply)).location).toBe(URLS.accept_url);
    const read = await w.shop.read(textAt(reply, 'order_id'));
    expect([read.at('status'), read.at('is_authenticated')]).toEqual(['capture_successful', true]);
    expect(read.at('transactions')).toMatchObject([
      { status: 'authorization_declined', is_fallback: false },
      { status: 'capture_successful', is_fallback: false },
    ]);
    const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(reply, 'order_id')}`);
    const held = (books.at('entries') as readonly { effects: number }[]).filter(({ effects }) => effects > 0);
    expect(held.map(({ effects }) => effects)).toEqual([1, 1]);
  });

  test('a card that nobody can authenticate stays declined', async () => {
    const reply = await w.shop.pay(CHALLENGE, { payment_channel: 'moto' });
    expect([reply.code, reply.at('status')]).toEqual(['420150', 'authorization_declined']);
  });

  test.each([
    ['4000009994201500', '420150'],
    ['4000009994200502', '420050'],
    ['4000009994202508', '420250'],
  ])('%s: authenticated without the payer, then approved (%s in the first try)', async (card_number, code) => {
    const reply = await w.shop.pay({ card_number }, { order_merchant_id: `soft-${code}` });
    const read = await w.shop.read(textAt(reply, 'order_id'));
    expect([reply.code, read.at('transactions.0.psp_result_code')]).toEqual(['420150', code]);
    await authenticates(reply);
    expect((await w.shop.read(textAt(reply, 'order_id'))).code).toBe('955555');
  });
});

test('an authentication made elsewhere replaces our own and is told to the provider', async () => {
  const data = { eci: '05', cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', pares_status: 'Y', version: '2.2.0', x_id: 'x1' };
  const reply = await w.shop.pay(CHALLENGE, { ...FORCE, '3ds_data': data });
  expect([
    reply.code,
    reply.at('authentication_result'),
    reply.at('is_authenticated'),
    reply.at('redirect_url'),
  ]).toEqual(['955555', 'success', true, undefined]);
});

test.each([{}, { cavv: null, eci: '' }, { colour: 'x' }])(
  'a 3ds_data that says nothing (%j) is none: the payer is authenticated here',
  async (data) => {
    const reply = await w.shop.pay(CHALLENGE, { ...FORCE, '3ds_data': data });
    expect([reply.at('status'), typeof reply.at('redirect_url')]).toEqual(['authentication_requested', 'string']);
  },
);

test('the page that leads to the bank lets it lead on to other hosts over HTTPS, and nobody else do anything', async () => {
  const order = await w.shop.pay({ card_number: '4000002760003184' }, { authentication_indicator: 'ask_3ds' });
  const first = await open(redirectOf(order));
  const url = first.html.includes('id="method"') ? formOf(first, 'on').action : first.url;
  for (const page of [await fetch(redirectOf(order)), await fetch(url, { method: 'POST' })]) {
    const html = await page.text();
    const bank = new URL(/<form method="post" action="([^"]*)"/.exec(html)?.[1] ?? '').origin;
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`form-action 'self' ${bank} https:;`);
    expect(policy).toContain("default-src 'none'; script-src 'self' 'sha256-");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(page.headers.get('permissions-policy')).toContain('payment=()');
  }
});

test('500 forged or replayed returns of a browser change no order', async () => {
  const reply = await w.shop.pay(CHALLENGE, { ...ASK, ...URLS });
  const order_id = textAt(reply, 'order_id');
  const bank = await toBank(redirectOf(reply));
  const other = await w.shop.pay({}, { ...ASK, amount: '1000' });
  await authenticates(other);
  const good = { messageType: 'CRes', messageVersion: '2.2.0', transStatus: 'Y' };
  const back = `${redirectOf(reply)}/back`;
  for (let i = 0; i < 500; i++) {
    const forged =
      [
        { cres: Buffer.from(JSON.stringify({ ...good, n: i })).toString('base64url') },
        { cres: bank.creq, transStatus: 'Y', status: 'success', order_id },
        { threeDSSessionData: order_id, PaRes: 'Y'.repeat(i + 1) },
        { cres: '%%%', code: '1234' },
      ][i % 4] ?? {};
    const path =
      [back, `${redirectOf(reply)}/seen`, `${redirectOf(reply)}/method`, redirectOf(reply)][Math.trunc(i / 4) % 4] ??
      back;
    const response = await fetch(path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(forged) });
    expect(response.status).toBeLessThan(500);
  }
  const read = await w.shop.read(order_id);
  expect([read.at('status'), read.at('order_version')]).toEqual(['authentication_requested', 3]);
  expect((await actAt(bank, { code: '1234' })).location).toBe(URLS.accept_url);
});

test('notifications tell of it: the address while the payer must act, then how it ended, without a gap', async () => {
  await using shop = await receiver();
  const events = ['authentication_requested', 'authentication_successful', 'capture_successful'];
  await w.shop.api('/notification/endpoint', { body: { url: shop.url, events } });
  const reply = await w.shop.pay(CHALLENGE, ASK);
  await authenticates(reply);
  const [requested, passed, captured] = (await shop.until((taken) => taken.length === 3)).map(({ body }) => body);
  expect(requested).toMatchObject({ event: events[0], sequence: 1, redirect_url: redirectOf(reply) });
  expect(passed).toMatchObject({ event: events[1], previous_sequence: 1, authentication_result: 'success' });
  expect(captured).toMatchObject({ event: events[2], previous_sequence: 2, authentication_partner: 'simulator' });
  expect(captured).not.toHaveProperty('redirect_url');
  // passed through inside the accepting request: history, and nobody's event
  await w.shop.pay({}, ASK);
  const last = (await shop.until((taken) => taken.length === 4)).at(-1);
  expect(last?.body).toMatchObject({ event: 'capture_successful', sequence: 3, authentication_result: 'success' });
});

const REFUSED = { card_number: '4000000000000002' };
test.each([
  ['said to be made elsewhere', {}, { '3ds_data': { cavv: 'AAABBBCC', eci: '05', pares_status: 'Y' } }, 'success', ''],
  ['attempted elsewhere', {}, { '3ds_data': { cavv: 'AAABBBCC', eci: '06', pares_status: 'A' } }, 'attempted', ''],
  ['left out by an exemption', {}, { sca_exemption_reason: 'low_value' }, 'accepted', ''],
  ['refused by an exemption', REFUSED, { sca_exemption_reason: 'low_value' }, '', ''],
  ['taken on by another provider', { card_number: '4000000000000119' }, ASK, 'success', 'simulator'],
])('a notification says of an authentication that was %s what the order says', async (_, card, fields, word, by) => {
  await using shop = await receiver();
  await w.shop.api('/notification/endpoint', { body: { url: shop.url } });
  const order_id = textAt(await w.shop.pay(card, { operation_type: 'authorize', ...fields }), 'order_id');
  const ours = (taken: readonly Got[]) => taken.filter(({ body }) => body['order_id'] === order_id);
  const said = { authentication_result: word, authentication_partner: by };
  expect((await w.shop.read(order_id)).body).toMatchObject(said);
  const taken = await shop.until((all) =>
    ours(all).some(({ body }) => /^auth.*_(successful|declined)$/.test(String(body['event']))),
  );
  expect(ours(taken).at(-1)?.body).toMatchObject(said);
});
test('two equal requests at once are one order, and both are told where the payer must go', async () => {
  const token = await w.shop.token(CHALLENGE);
  const body = {
    token,
    ...FORCE,
    operation_type: 'authorize',
    amount: '11.00',
    currency: 'EUR',
    order_merchant_id: 'twice',
  };
  const [one, other] = await Promise.all([w.shop.order(body), w.shop.order(body)]);
  expect([one.status, other.status, one.at('order_id')]).toEqual([200, 200, other.at('order_id')]);
  expect(redirectOf(one)).toBe(redirectOf(other));
});
