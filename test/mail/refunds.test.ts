// Receipts of refunds by mail: one for each refund that is done, in the commit that says so, and on the page of the
// payment.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KillPoint } from '../../src/core/kill-points.ts';
import { PAGE_LANGUAGES } from '../../src/core/payer/language.ts';
import { receiptLetter } from '../../src/payment/payer/receipt.ts';
import { firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { cut, looked } from '../conformance/interrupt.ts';
import { hostedCheckout, open, pay } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { type MailServer, mailServer, plainOf, settingsOf } from './server.ts';

let w: World;
let server: MailServer;
beforeAll(async () => {
  server = await mailServer();
  w = await world(settingsOf(server));
  const owner = await firstOwner(w);
  const wanted = { mail_receipts: true, page_help_url: 'https://shop.example/help' };
  await owner.ask('PUT', '/api/settings', wanted);
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

let count = 0;
const newPayer = () => `payer-${++count}@mail.example`;

/** A sale of 42.50 EUR; answers its order. */
async function sale(customer_email: string, card_number?: string, fields: object = {}): Promise<string> {
  const order = { customer_email, amount: '42.50', order_merchant_id: `cart-${count}`, ...fields };
  return textAt(await w.shop.pay(card_number === undefined ? {} : { card_number }, order), 'order_id');
}

const refund = (order_id: string, body: object = {}) =>
  w.shop.api(`/payment/maintenance/refund/${order_id}`, { body, headers: { prefer: 'wait=10' } });

/** The ids of what receipts were written about, of refunds alone. */
async function refundsTold(address: string): Promise<readonly string[]> {
  const rows = await w.sql<{ id: string }>(
    `SELECT encode(o.id, 'hex') AS id
     FROM payment.mails m
     JOIN payment.operations o ON o.id = m.about_id
     WHERE m.address = $1 AND m.kind = 'receipt' AND o.kind = 'refund'`,
    [address],
  );
  return rows.map(({ id }) => id);
}

const mailsTo = (address: string) =>
  server.taken.filter(({ to, raw }) => to.includes(address) && plainOf(raw).includes('Refunded'));
const refundMail = (address: string) =>
  until(() => mailsTo(address)[0]).then(({ raw }) => plainOf(raw).replaceAll('\r\n', '\n'));

test('a payer gets one for a refund: what came back, what is left, and whom to ask; and not a digit too many', async () => {
  const to = newPayer();
  const order_id = await sale(to);
  expect((await refund(order_id, { amount: '10.00' })).at('status')).toBe('refund_successful');
  const mail = await refundMail(to);
  expect(mail).toContain('<title>Refund: €10.00, Demo shop</title>');
  expect(mail).toMatch(/Demo shop. has sent you a refund\. It can take a few days until your bank shows it\./);
  expect(mail).toContain('Amount: €42.50\nRefunded: €10.00\nLeft after refunds: €32.50\nPaid to: Demo shop\n');
  expect(mail).toMatch(/Card: Visa ending in .?4242/);
  expect(mail).toContain(`Reference: cart-${count}`);
  expect(mail).toMatch(/Date: .*UTC/);
  expect(mail).toContain('Help:\nhttps://shop.example/help');
  expect(mail).not.toContain('424242');
});

test('two refunds have one each, of what each gave back and what is left after it', async () => {
  const to = newPayer();
  const order_id = await sale(to);
  for (const amount of ['10.00', '32.50']) await refund(order_id, { amount });
  await until(() => mailsTo(to).length === 2 || undefined);
  const told = mailsTo(to).map(({ raw }) => /Refunded: (\S+)\s+Left after refunds: (\S+)/.exec(plainOf(raw))?.slice(1));
  expect(new Set(told.map(String))).toEqual(new Set(['€10.00,€32.50', '€32.50,€0.00']));
});

test('a refund that is declined has none, and one that is in doubt has none until it is proved', async () => {
  const refused = newPayer();
  await refund(await sale(refused, '4000009903000019'));
  expect(await refundsTold(refused)).toEqual([]);
  const doubted = newPayer();
  const order_id = await sale(doubted, '4000009903000035');
  const asked = await w.shop.api(`/payment/maintenance/refund/${order_id}`, {
    body: {},
    headers: { prefer: 'wait=0' },
  });
  expect(asked.at('status')).toBe('refund_requested');
  expect(await refundsTold(doubted)).toEqual([]);
  await until(async () => {
    await looked(w, order_id);
    return (await w.shop.read(order_id)).at('status') === 'refund_successful' || undefined;
  });
  expect(await refundsTold(doubted)).toHaveLength(1);
});

describe('a process that is killed', () => {
  const POINTS: readonly KillPoint[] = ['call_answered', 't2_committed'];
  test.each(POINTS)('at %s of a refund leaves one receipt, not none and not two', async (point) => {
    const to = newPayer();
    const order_id = await sale(to);
    const cutting = cut(w, point, 0);
    await refund(order_id);
    cutting.restore();
    expect(cutting.hit).toBe(true);
    // what was not committed is not told
    expect(await refundsTold(to)).toHaveLength(point === 't2_committed' ? 1 : 0);
    await until(async () => {
      await looked(w, order_id);
      return (await w.shop.read(order_id)).at('status') === 'refund_successful' || undefined;
    });
    await looked(w, order_id);
    expect(await refundsTold(to)).toHaveLength(1);
    await refundMail(to);
    expect(mailsTo(to)).toHaveLength(1);
  });
});

test('a refund that fails before its receipt was sent has none', async () => {
  const to = newPayer();
  const order_id = await sale(to);
  await until(() => server.taken.find((mail) => mail.to.includes(to)));
  server.behave({ recipient: 451 });
  await refund(order_id);
  const noted = () =>
    w.sql<{ state: string; note: string }>(
      `SELECT m.state, m.note FROM payment.mails m JOIN payment.operations o ON o.id = m.about_id
       WHERE m.address = $1 AND o.kind = 'refund'`,
      [to],
    );
  await until(async () => (await noted())[0]?.note.includes('451') || undefined);
  await w.sql(
    `UPDATE payment.operations SET state = 'declined' WHERE order_id = decode($1, 'hex') AND kind = 'refund'`,
    [order_id],
  );
  await w.sql(`UPDATE payment.mails SET due_at = clock_timestamp() WHERE address = $1`, [to]);
  await until(async () => (await noted())[0]?.state !== 'waiting' || undefined);
  expect(await noted()).toEqual([{ state: 'given_up', note: 'what it tells of was taken back before it was sent' }]);
  server.behave({});
});

test('the receipt on screen shows what was given back, and what is left', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop);
  await pay(w.shop, url);
  const before = (await open(url)).html;
  expect(before).not.toContain('Refunded');
  const order_id = textAt(await w.shop.api(`/payment/checkout/${checkout_id}`), 'checkout.orders.0.order_id');
  for (const amount of ['2.50', '10.00']) await refund(order_id, { amount });
  const { html } = await open(url);
  expect(html).toContain('<dt>Refunded</dt><dd>€12.50</dd>');
  expect(html).toContain('<dt>Left after refunds</dt><dd>€30.00</dd>');
});

test('the receipt on screen adds up where only a part was captured: what was released is not what the payer paid', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop, { operation_type: 'authorize' });
  await pay(w.shop, url);
  const order_id = textAt(await w.shop.api(`/payment/checkout/${checkout_id}`), 'checkout.orders.0.order_id');
  await w.shop.decided(order_id);
  expect((await open(url)).html).toContain('<dt>Amount</dt><dd>€42.50</dd>');
  const body = { amount: '30.00', final: true };
  await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body, headers: { prefer: 'wait=10' } });
  expect((await open(url)).html).toContain('<dt>Amount</dt><dd>€30.00</dd>');
  await refund(order_id, { amount: '10.00' });
  const { html } = await open(url);
  // above the receipt, too
  expect(html).toContain('<p class="sum">€30.00</p>');
  expect(html).toContain('<dt>Amount</dt><dd>€30.00</dd>');
  expect(html).toContain('<dt>Refunded</dt><dd>€10.00</dd>');
  expect(html).toContain('<dt>Left after refunds</dt><dd>€20.00</dd>');
});

test.each(PAGE_LANGUAGES)('the receipt says in %s each thing once', (language) => {
  const paid = {
    merchant: 'Bücher Ö',
    amount_minor: 4250n,
    returned: { refunded_minor: 1000n, charged_back_minor: 0n, left_minor: 3250n },
    currency: 'EUR',
    card: { scheme: 'visa', last4: '4242' },
    at: new Date('2026-11-27T10:00:00Z'),
    reference: 'cart-1',
    statement: undefined,
  } as const;
  const letter = receiptLetter(paid, language, 'https://shop.example/help');
  expect(letter).toMatchObject({ language, link: { url: 'https://shop.example/help' } });
  expect(letter.facts).toHaveLength(7);
  expect(new Set(letter.facts?.map(([name]) => name)).size).toBe(7);
  const all = JSON.stringify(letter);
  expect(all).not.toMatch(/[{]\w+[}]/);
  expect(letter.subject).toContain('Bücher Ö');
  expect(letter.paragraphs.join()).toContain('Bücher Ö');
  // no link where nobody can be asked
  expect(receiptLetter(paid, language, '').link).toBeUndefined();
});
