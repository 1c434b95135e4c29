// Orders at the simulated Adyen, through the public API: what the engine makes of a provider whose changes are answered
// by messages, and which cannot be asked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import { lacksAuthentication } from '../../src/payment/order/authentication/demand.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { demoPayload } from '../../src/vault/wallet/sandbox/demo-payload.ts';
import { SIMULATOR } from '../../src/simulators/adyen/sandbox.ts';
import { open, redirectOf } from '../authentication/payer.ts';
import { type Reply, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { adyen as at } from '../conformance/at/adyen.ts';
import { reconciledAt } from './reconciled.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'adyen' });
});
afterAll(() => w[Symbol.asyncDispose]());

const AT_ADYEN = { merchant_contract: 'adyen', payment_channel: 'e-commerce' };

const statusOf = async (order_id: string, status: string) =>
  until(async () => {
    const reply = await w.shop.read(order_id);
    return reply.at('status') === status ? reply : undefined;
  });

test('a hold is captured in parts and refunded, each ended by a message', async () => {
  const paid = await w.shop.pay({}, { ...AT_ADYEN, operation_type: 'authorize' });
  expect([paid.code, paid.at('payin_partner')], paid.text).toEqual(['944444', 'adyen']);
  const order_id = textAt(paid, 'order_id');
  const capture = await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: { amount: '10.00' } });
  expect(capture.status, capture.text).toBeLessThan(300);
  await statusOf(order_id, 'capture_successful');
  const refund = await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '4.00' } });
  expect(refund.status, refund.text).toBeLessThan(300);
  await statusOf(order_id, 'refund_successful');
});

test('a sale is held, and captured by a call of ours', async () => {
  const paid = await w.shop.pay({}, AT_ADYEN);
  const order = await statusOf(textAt(paid, 'order_id'), 'capture_successful');
  expect(order.at('capture_amount') ?? order.text).toBe(25);
});

const ASKED = 'authentication_requested';

test('whether the payer must act is in the first answer, whether it waits for an outcome or not, and is not waited for longer', async () => {
  const fields = { ...AT_ADYEN, operation_type: 'authorize', authentication_indicator: 'force_3ds' };
  for (const headers of [{}, { prefer: 'wait=20' }]) {
    const token = await w.shop.token({ card_number: at.cards.challenge });
    const order_merchant_id = `asked ${JSON.stringify(headers)}`;
    const order = { ...fields, token, amount: '25.00', currency: 'EUR', order_merchant_id };
    // the payer is quick: who waits for longer answers that it is paid
    const [reply] = await Promise.all([w.shop.order(order, headers), actsAtOnce(order_merchant_id)]);
    expect([reply.code, reply.at('status')], reply.text).toEqual(['421080', ASKED]);
    expect(redirectOf(reply)).toContain('/pay/');
    const paid = await w.shop.read(textAt(reply, 'order_id'));
    expect([paid.code, paid.at('status')]).toEqual(['944444', PAID]);
  }
});

const PAID = 'authorization_successful';

test('the number of a card itself, from Google Pay, is authenticated by Adyen though the order does not ask; the next card is not', async () => {
  const chance = systemChance(systemClock());
  const card = {
    number: at.cards.challenge ?? '',
    cryptogram: undefined,
    amount_minor: 2500n,
    currency: 'EUR',
    now: new Date(),
  };
  const wallet_payload = demoPayload('google_pay', card, chance);
  const made = await w.shop.vault('/token', { body: { token_kind: 'google_pay', wallet_payload } });
  const order = { ...AT_ADYEN, operation_type: 'authorize', amount: '25.00', currency: 'EUR' };
  const fields = { ...order, order_merchant_id: 'of a wallet', authentication_indicator: 'no_3ds' };
  const reply = await w.shop.order({ ...fields, token: textAt(made, 'token') });
  expect([reply.code, reply.at('status')], reply.text).toEqual(['421080', ASKED]);
  const order_id = textAt(reply, 'order_id');
  await open((await at.payer?.acts(await open(redirectOf(reply)), 'fail')) ?? '');
  // the message of it, which may come first, does not say what was declined
  await until(async () => (textAt(await w.shop.read(order_id), 'status').endsWith('declined') ? true : undefined));
  const token = await w.shop.token({ card_number: at.cards.challenge });
  const again = { method: 'PUT', body: { token }, headers: { prefer: 'wait=20' } };
  const paid = await w.shop.api(`/payment/order/${order_id}`, again);
  expect([paid.code, paid.at('status')], paid.text).toEqual(['944444', PAID]);
});

test('a network token, which its wallet authenticated, pays under force_3ds though Adyen authenticated nobody', async () => {
  const chance = systemChance(systemClock());
  const cryptogram = Buffer.alloc(20, 7).toString('base64');
  const card = { number: at.cards.good, cryptogram, amount_minor: 2500n, currency: 'EUR', now: new Date() };
  const wallet_payload = demoPayload('google_pay', card, chance);
  const made = await w.shop.vault('/token', { body: { token_kind: 'google_pay', wallet_payload } });
  const order = { ...AT_ADYEN, operation_type: 'authorize', amount: '25.00', currency: 'EUR' };
  const fields = { ...order, order_merchant_id: 'of a phone', authentication_indicator: 'force_3ds' };
  const paid = await w.shop.order({ ...fields, token: textAt(made, 'token') }, { prefer: 'wait=20' });
  expect([paid.code, paid.at('status')], paid.text).toEqual(['944444', PAID]);
  // its simulator takes the wallet's proof for an authentication; where Adyen itself did not, it is none that lacks
  const facts = await findOrder(w.service.tools.db.tenant(w.account), textAt(paid, 'order_id'));
  const [operation] = facts?.operations ?? [];
  if (!facts || !operation) throw new Error('the order has its authorization');
  expect(facts.body['authentication_indicator']).toBe('force_3ds');
  expect(lacksAuthentication(facts, operation, { unauthenticated: true })).toBe(false);
});

/** Not by a read: that would wait for the call. */
const isPaid = async (order_id: string) =>
  (await w.sql<{ status: string }>("SELECT status FROM payment.orders WHERE id = decode($1, 'hex')", [order_id])).some(
    ({ status }) => status === PAID,
  ) || undefined;

/** As soon as it stands in the books that the payer must act, whether the shop was told or not. */
async function actsAtOnce(order_merchant_id: string): Promise<void> {
  const order_id = await until(async () => {
    const [row] = await w.sql<{ id: string }>(
      "SELECT encode(id, 'hex') AS id FROM payment.orders WHERE order_merchant_id = $1 AND status = $2",
      [order_merchant_id, ASKED],
    );
    return row?.id;
  });
  await actsAt(await w.shop.read(order_id));
}

const actsAt = async (asked: Reply) => open((await at.payer?.acts(await open(redirectOf(asked)), 'complete')) ?? '');

test('the liable side is stored even if the message of the payment comes before the answer to the return', async () => {
  const { tools } = w.service;
  const { direct } = tools;
  const card = { card_number: at.cards.challenge };
  const asked = await w.shop.pay(card, {
    ...AT_ADYEN,
    operation_type: 'authorize',
    authentication_indicator: 'ask_3ds',
    accept_url: 'https://shop.example/back',
  });
  const order_id = textAt(asked, 'order_id');
  Object.assign(tools, {
    direct: async (call: Parameters<typeof direct>[0]) => {
      const answer = await direct(call);
      if (call.step === 'details') await until(() => isPaid(order_id));
      return answer;
    },
  });
  await actsAt(asked);
  Object.assign(tools, { direct });
  const read = await w.shop.read(order_id);
  expect([read.code, read.at('is_authenticated')]).toEqual(['944444', true]);
});

const reconciled = (change?: (report: string) => string) =>
  reconciledAt(w, { provider: 'adyen', name: MERCHANT, from: `settlement?merchant_account=${MERCHANT}` }, change);
const MERCHANT = SIMULATOR.credentials.merchant_account;

test('after the last capture the rest is released here; that it lapses there later changes nothing (decision 88)', async () => {
  const paid = await w.shop.pay({}, { ...AT_ADYEN, operation_type: 'authorize' });
  const order_id = textAt(paid, 'order_id');
  const body = { amount: '10.00', final: true };
  await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body });
  const before = await statusOf(order_id, 'capture_successful');
  const held = () =>
    w.sql<{ held: string }>(
      `SELECT (authorized_minor - released_minor - captured_minor)::text AS held FROM payment.orders
       WHERE id = decode($1, 'hex')`,
      [order_id],
    );
  expect(await held()).toEqual([{ held: '0' }]);
  const control = async (path: string, said?: object): Promise<unknown> => {
    const url = `${w.service.simulators?.get('adyen')?.control_url ?? ''}/control/${path}`;
    return (await fetch(url, { method: 'POST', body: JSON.stringify(said ?? {}) })).json();
  };
  const { payments } = (await control('books')) as { payments: { psp: string; reference: string }[] };
  const psp = payments.find(({ reference }) => reference.startsWith(order_id))?.psp;
  const told = { psp, event: 'EXPIRE', value: 1500 };
  expect(await control('tell', told)).toEqual({});
  expect(await control('deliver')).toMatchObject({ delivered: [{ status: 200 }] });
  const states = () =>
    w.sql<{ state: string }>(`SELECT DISTINCT state FROM payment.provider_events WHERE provider = 'adyen'`, []);
  await until(async () => (await states()).every(({ state }) => state !== 'received') || undefined);
  const after = await w.shop.read(order_id);
  expect([after.at('status'), after.at('is_in_doubt'), after.at('capture_total_amount')]).toEqual([
    'capture_successful',
    false,
    before.at('capture_total_amount'),
  ]);
  expect([await held(), (await states()).map(({ state }) => state)]).toEqual([[{ held: '0' }], ['applied']]);
});

test("Adyen's settlement report is reconciled: equal books agree, and a row that is gone, doubled or of another amount is found", async () => {
  const good = await reconciled();
  // the stories above: captures and a refund, and no authorization is missed
  expect(good).toMatchObject({ differences: 0, found: [], others: [['Fee', 1]] });
  expect(good.lines).toBeGreaterThanOrEqual(3);
  expect(good.operations).toBe(good.lines);
  const refundOf = (report: string) => report.split('\n').find((row) => row.includes(',Refunded,')) ?? '';
  const gone = await reconciled((report) => report.replace(`${refundOf(report)}\n`, ''));
  expect(gone.found).toEqual(['missing there refund']);
  const doubled = await reconciled((report) =>
    report.replace(refundOf(report), `${refundOf(report)}\n${refundOf(report)}`),
  );
  expect(doubled.found).toEqual(['double effect refund']);
  const other = await reconciled((report) =>
    report.replace(refundOf(report), refundOf(report).replace(',4.00,', ',4.01,')),
  );
  expect(other.found).toEqual(['amount refund']);
  await expect(reconciled((report) => report.replace('Merchant Account', 'Other'))).rejects.toThrow(
    'line 1: is not the head of a report of adyen',
  );
});
