// Orders at the simulated Stripe, through the public API: what the engine makes of a provider with several steps.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { noteStep, takeFrom } from '../../src/payment/order/engine/step-store.ts';
import { type World, world } from '../world.ts';
import { reconciledAt } from './reconciled.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe' });
});
afterAll(() => w[Symbol.asyncDispose]());

const AT_STRIPE = { merchant_contract: 'stripe', payment_channel: 'e-commerce' };

const statusOf = async (order_id: string, status: string) =>
  until(async () => {
    const reply = await w.shop.read(order_id);
    return reply.at('status') === status ? reply : undefined;
  });

const control_url = (): string => w.service.simulators?.get('stripe')?.control_url ?? '';

async function arm(fault: object): Promise<void> {
  const reply = await fetch(`${control_url()}/control/faults`, { method: 'POST', body: JSON.stringify(fault) });
  expect(reply.status, await reply.text()).toBe(200);
}

test('an order is authorized in three steps, captured once and refunded', async () => {
  const paid = await w.shop.pay({}, { ...AT_STRIPE, operation_type: 'authorize' });
  expect([paid.code, paid.at('payin_partner')], paid.text).toEqual(['944444', 'stripe']);
  const order_id = textAt(paid, 'order_id');
  const capture = await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: { amount: '10.00' } });
  expect(capture.status, capture.text).toBeLessThan(300);
  const captured = await statusOf(order_id, 'capture_successful');
  // Stripe takes one capture and releases the rest
  expect(captured.at('transactions.0.is_capturable'), captured.text).toBe(false);
  const refund = await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '4.00' } });
  expect(refund.status, refund.text).toBeLessThan(300);
  await statusOf(order_id, 'refund_successful');
});

test.each(['close_after', 'close_before'])(
  'the answer to the confirmation is lost (%s): it is looked for',
  async (kind) => {
    await arm({ kind, method: 'POST', path: 'confirm' });
    const paid = await w.shop.pay({}, { ...AT_STRIPE, operation_type: 'authorize' });
    const order_id = textAt(paid, 'order_id');
    // what was not taken may still be on its way, for the time that Stripe is given
    if (kind === 'close_before') await w.shop.api('/sandbox/clock/advance', { body: { seconds: 120 } });
    const status = kind === 'close_after' ? 'authorization_successful' : 'authorization_declined';
    await statusOf(order_id, status);
    const books = await fetch(`${control_url()}/control/books`);
    const { intents } = (await books.json()) as { intents: { status: string; metadata: { order_id: string } }[] };
    const ours = intents.filter(({ metadata }) => metadata.order_id === order_id);
    expect(ours.map((intent) => intent.status)).toEqual([kind === 'close_after' ? 'requires_capture' : 'canceled']);
  },
);

test('a process that was overtaken stores no further step, and takes up nothing that has moved on since', async () => {
  await arm({ kind: 'close_before', method: 'POST', path: 'confirm' });
  const order_id = textAt(await w.shop.pay({}, { ...AT_STRIPE, operation_type: 'authorize' }), 'order_id');
  const db = w.service.tools.db.tenant(w.account);
  const operation = (await findOrder(db, order_id))?.operations[0];
  if (!operation) throw new Error('the order has an authorization');
  expect(operation).toMatchObject({ step: 'confirm', money_sent: true });
  const look = { step: 'look', kept: operation.kept, money: false, reference: null, lease_s: 600 };
  // as somebody whose place another one has taken since
  const late = { ...operation, tries: operation.tries - 1 };
  expect(await noteStep(db, { order_id, operation: late }, look)).toBe(false);
  expect(await takeFrom(db, { order_id, operation: late })).toBe(false);
  expect(await takeFrom(db, { order_id, operation: { ...operation, step: 'shell' } })).toBe(false);
});

const reconciled = (change?: (report: string) => string) =>
  reconciledAt(w, { provider: 'stripe', name: 'acct_shop', from: 'settlement' }, change);
const rowsOf = (report: string, category: string) => report.split('\n').filter((row) => row.includes(`,${category},`));

test('the report of its balance is reconciled: a part that was captured is two rows, a sale one', async () => {
  const sold = await w.shop.pay({}, AT_STRIPE);
  await statusOf(textAt(sold, 'order_id'), 'capture_successful');
  const good = await reconciled();
  // of the hold and the sale a capture each, and the refund of the hold
  expect(good).toMatchObject({ lines: 3, operations: 3, differences: 0, found: [] });
  expect(good.others).toEqual([
    ['partial_capture_reversal', 1],
    ['payout', 1],
  ]);
});

test.each([
  ['charge', 'missing there capture'],
  ['refund', 'missing there refund'],
])('a %s that is not in it is missed', async (category, found) => {
  const lost = await reconciled((report) => report.replace(`${rowsOf(report, category).at(-1)}\n`, ''));
  expect(lost.found).toEqual([found]);
});

test('a sale that was declined here, and is charged there, is a difference', async () => {
  const declined = await w.shop.pay({ card_number: '4000000000000002' }, AT_STRIPE);
  const [order_id, operation_id] = [textAt(declined, 'order_id'), textAt(declined, 'transaction_id')];
  await statusOf(order_id, 'authorization_declined');
  const charged = await reconciled((report) => {
    const row = rowsOf(report, 'charge').at(-1) ?? '';
    const [, before = '', after = ''] = /^(.*,)[0-9a-f]{24},[0-9a-f]{24}(,.*)$/.exec(row) ?? [];
    return `${report}\n${before}${order_id},${operation_id}${after}`;
  });
  expect(charged.found).toEqual(['state capture']);
});

test('without the row of what was not captured, or with a refund of another amount, the amounts differ', async () => {
  const whole = await reconciled((report) => report.replace(`${rowsOf(report, 'partial_capture_reversal')[0]}\n`, ''));
  expect(whole.found).toEqual(['amount capture']);
  const other = await reconciled((report) => report.replace(',-4.00,0.00,-4.00,refund,', ',-4.01,0.00,-4.01,refund,'));
  expect(other.found).toEqual(['amount refund']);
});
