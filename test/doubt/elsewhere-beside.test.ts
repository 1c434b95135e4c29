// What a merchant does at the provider's own site beside what is asked for here, with its message late or lost: it is
// booked, or the order is in doubt, and nothing that was taken is forgotten.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookElsewhere } from '../../src/payment/order/engine/elsewhere.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { textAt, until } from '../client.ts';
import type { At } from '../conformance/at/contract.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { adyen } from '../conformance/at/adyen.ts';
import { paypal } from '../conformance/at/paypal.ts';
import { stripe } from '../conformance/at/stripe.ts';
import { type Stand, openStand } from '../conformance/stand.ts';
import { type Part, SITES, heldAtPayPal } from './at-their-site.ts';
import { lookingAt } from './made-there.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

const { becomes, eventsOf, madeThere, agrees, inboxOf, looked, waiting } = lookingAt(() => stand);

/** A hold, whose messages wait from now on. */
async function heldInSilence(at: At) {
  const bench = stand.bench(at);
  const order_id = textAt(await bench.pay(), 'order_id');
  await bench.drive.hold(true);
  const told = async () => {
    await bench.drive.hold(false);
    await bench.drive.tellWaiting();
    await looked();
  };
  return { bench, order_id, told };
}

test.each([
  ['COMPLETED', 'capture_successful', [{ kind: 'capture', state: 'successful', minor: '2500' }]],
  ['DENIED', 'authorization_cancel_declined', []],
])(
  'a capture made at PayPal’s site that PayPal still reviews is no end of the hold: %s',
  async (status, ends, made) => {
    const bench = stand.bench(paypal);
    const order_id = textAt(await bench.pay(), 'order_id');
    const control = controlOf(stand.w, 'paypal');
    const site = { does: 'capture', authorization: (await heldAtPayPal(stand.w, order_id))?.id, pending: true };
    const { id: capture } = (await control('POST', '/site', site)) as Part;
    // it is refused, and PayPal's books are asked why
    expect((await bench.maintain('cancel', order_id)).status).toBe(422);
    const { tools, demo } = stand.w.service;
    await until(async () => tools.running.find(order_id) === undefined || undefined);
    expect(await madeThere(order_id)).toEqual([]);
    // what makes us look meanwhile is looked at again
    const order = await findOrder(tools.db.tenant(demo?.merchant_account_id ?? ''), order_id);
    expect(order && (await lookElsewhere(tools, order))).toBe('later');
    await control('POST', '/captures/status', { capture, status });
    await bench.drive.tellWaiting();
    await looked();
    expect(await madeThere(order_id)).toEqual(made);
    await becomes(order_id, ends);
    expect(await inboxOf(order_id)).toEqual([]);
    await agrees(order_id);
  },
);

test('a dispute of what was captured in Stripe’s Dashboard is booked, though the message of the capture is lost', async () => {
  const { order_id, told } = await heldInSilence(stripe);
  await SITES['stripe']?.(stand.w, order_id, 'capture');
  await stripe.tells?.(stand.w).dispute(order_id);
  await controlOf(stand.w, 'stripe')('POST', '/messages/deliver', { type: 'charge.dispute.created' });
  await looked();
  expect(await inboxOf(order_id)).toEqual([]);
  expect((await stand.w.shop.read(order_id)).at('status')).toBe('capture_successful');
  expect(await eventsOf(order_id)).toContain('dispute.opened');
  await told();
  expect(await inboxOf(order_id)).toEqual([]);
  await agrees(order_id);
});

test('a part that was captured at PayPal’s site before our cancel, and told after it, puts the order in doubt', async () => {
  const { bench, order_id, told } = await heldInSilence(paypal);
  await SITES['paypal']?.(stand.w, order_id, 'capture', 500);
  // PayPal releases the rest, and does not say that it is not all
  expect((await bench.maintain('cancel', order_id)).at('status')).toBe('authorization_cancelled');
  await told();
  const order = await stand.w.shop.read(order_id);
  expect([order.at('is_in_doubt'), await inboxOf(order_id)]).toEqual([true, []]);
});

test.each([
  ['a refund', 'its failure', 'refund', ['refund_declined'], 'declined'],
  ['a capture', 'a dispute of it', 'capture', ['capture_successful', 'dispute.opened'], 'successful'],
] as const)('of %s made at Adyen’s site %s may be told first', async (_, _told, does, events, state) => {
  const bench = stand.bench(adyen);
  const sold = { operation_type: does === 'refund' ? 'direct_capture' : 'authorize' };
  const order_id = textAt(await bench.pay(sold), 'order_id');
  if (does === 'refund') await becomes(order_id, 'capture_successful');
  const control = controlOf(stand.w, 'adyen');
  const { payments } = (await control('GET', '/books')) as { readonly payments: readonly AtAdyen[] };
  const psp = payments.find(({ reference }) => reference.startsWith(order_id))?.psp;
  await bench.drive.hold(true);
  const made = (await control('POST', '/area', { psp, does, value: 1000 })) as AtAdyen;
  if (does === 'refund') await control('POST', '/fail', { psp: made.psp });
  else await control('POST', '/dispute', { psp, event: 'CHARGEBACK', value: 1000 });
  await control('POST', '/deliver', { order: 'reversed' });
  await bench.drive.hold(false);
  await looked();
  expect(await inboxOf(order_id)).toEqual([]);
  expect(await madeThere(order_id)).toEqual([{ kind: does, state, minor: '1000' }]);
  expect((await eventsOf(order_id)).slice(-events.length)).toEqual(events);
  await agrees(order_id);
});

test('a dispute at Adyen of what was never captured waits for a day, and then for a person', async () => {
  const order_id = textAt(await stand.bench(adyen).pay(), 'order_id');
  await adyen.tells?.(stand.w).dispute(order_id);
  expect(await waiting()).toHaveLength(1);
  await stand.w.sql(`UPDATE payment.provider_events SET received_at = received_at - interval '1 day'
                     WHERE state = 'received'`);
  await looked();
  expect(await inboxOf(order_id)).toEqual([{ state: 'parked', reason: 'no such operation' }]);
});

type AtAdyen = { readonly psp: string; readonly reference: string };
