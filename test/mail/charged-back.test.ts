// The payer's receipt, on screen and by mail, once the payer's bank has taken money back: it says so, and what is left
// is what the merchant still has.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordDispute } from '../../src/payment/dispute/record.ts';
import { PAGE_LANGUAGES } from '../../src/core/payer/language.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { receiptLetter } from '../../src/payment/payer/receipt.ts';
import type { Dispute } from '../../src/provider/notices.ts';
import { firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { hostedCheckout, open, pay } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { type MailServer, mailServer, plainOf, settingsOf } from './server.ts';

let w: World;
let server: MailServer;
beforeAll(async () => {
  server = await mailServer();
  w = await world(settingsOf(server));
  await (await firstOwner(w)).ask('PUT', '/api/settings', { mail_receipts: true });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

type Told = Pick<Dispute, 'state' | 'amount_minor'>;

async function disputed(order_id: string, told: Told, day: number): Promise<void> {
  const { tools } = w.service;
  const order = await findOrder(tools.db.tenant(w.account), order_id);
  const operation = order?.operations.find(({ kind }) => kind === 'capture');
  if (!order || !operation) throw new Error('no captured order');
  const reason = { reason: 'Fraud', reason_code: '10.4' };
  const at = `2026-03-0${day}T10:00:00.000Z`;
  const dispute: Dispute = { kind: 'dispute', currency: 'EUR', ...reason, at, ...told };
  expect(await recordDispute(tools, order, { operation, provider: 'simulator', dispute })).toBe(true);
}

const maintain = async (kind: 'capture' | 'refund', order_id: string, body: object) => {
  const done = await w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body, headers: { prefer: 'wait=10' } });
  expect(done.status, done.text).toBe(200);
};

/** Paid on a hosted page; answers the page and its order. */
async function paid(fields: object = {}) {
  const { url, checkout_id } = await hostedCheckout(w.shop, fields);
  await pay(w.shop, url);
  const order_id = textAt(await w.shop.api(`/payment/checkout/${checkout_id}`), 'checkout.orders.0.order_id');
  await w.shop.decided(order_id);
  return { url, order_id };
}

const LABELS = ['Amount', 'Refunded', 'Taken back by your bank', 'Left after refunds', 'Left of the payment'];

/** What a page says of money, label by label. */
async function moneyOn(url: string): Promise<readonly string[]> {
  const { html } = await open(url);
  const rows = [...html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)/g)].map(
    ([, label = '', text]) => [label, text] as const,
  );
  return rows.filter(([label]) => LABELS.includes(label)).map((row) => row.join(' '));
}

test('a page says what the bank took back, beside what was refunded, until the dispute is won', async () => {
  const { url, order_id } = await paid();
  await maintain('refund', order_id, { amount: '10.00' });
  await disputed(order_id, { state: 'opened', amount_minor: 3000n }, 1);
  const away = ['Amount €42.50', 'Refunded €10.00', 'Taken back by your bank €30.00', 'Left of the payment €2.50'];
  expect(await moneyOn(url)).toEqual(away);
  await disputed(order_id, { state: 'lost', amount_minor: 3000n }, 2);
  expect(await moneyOn(url)).toEqual(away);
  await disputed(order_id, { state: 'won', amount_minor: 3000n }, 3);
  expect(await moneyOn(url)).toEqual(['Amount €42.50', 'Refunded €10.00', 'Left after refunds €32.50']);
});

test('what the bank took back is set against what was captured, where nothing was refunded', async () => {
  const { url, order_id } = await paid({ operation_type: 'authorize' });
  await maintain('capture', order_id, { amount: '30.00' });
  await disputed(order_id, { state: 'opened', amount_minor: 3000n }, 1);
  expect(await moneyOn(url)).toEqual(['Amount €30.00', 'Taken back by your bank €30.00', 'Left of the payment €0.00']);
  expect((await open(url)).html).toContain('<p class="sum">€30.00</p>');
});

test('a mail of a refund made all the same does not call what the bank took back left', async () => {
  const to = 'payer@mail.example';
  const order_id = textAt(await w.shop.pay({}, { customer_email: to, amount: '42.50' }), 'order_id');
  await disputed(order_id, { state: 'opened', amount_minor: 4250n }, 1);
  await maintain('refund', order_id, { amount: '10.00', even_if_disputed: true });
  const mail = await until(() => server.taken.map(({ raw }) => plainOf(raw)).find((text) => text.includes('Refunded')));
  expect(mail.replaceAll('\r\n', '\n')).toContain(
    'Amount: €42.50\nRefunded: €10.00\nTaken back by your bank: €42.50\nLeft of the payment: €0.00\nPaid to: Demo shop\n',
  );
});

test.each(PAGE_LANGUAGES)('each part has a name of its own in %s', (language) => {
  const returned = { refunded_minor: 1000n, charged_back_minor: 3000n, left_minor: 250n };
  const rest = { currency: 'EUR', card: undefined, at: undefined, reference: 'cart-1', statement: undefined };
  const letter = receiptLetter({ merchant: 'Shop', amount_minor: 4250n, returned, ...rest }, language, '');
  const names = letter.facts?.map(([name]) => name) ?? [];
  expect([names.length, new Set(names).size]).toEqual([6, 6]);
});
