// A refund that a person makes at the provider's own site beside one of ours of the same amount, whose answer was lost:
// while the provider's name of ours is not known, no message without our own name is taken for it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordDispute } from '../../src/payment/dispute/record.ts';
import { applyWaiting } from '../../src/payment/settlement/apply.ts';
import { until } from '../client.ts';
import { adyen } from '../conformance/at/adyen.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { type World, world } from '../world.ts';
import { contractOf } from './mail.ts';
import { lostRefund, repeated, sold, told } from './lost-at-adyen.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'adyen' });
});
afterAll(() => w[Symbol.asyncDispose]());

let count = 0;

/** Adyen tells of a refund of 5.00 under a name that is not ours; answers the name of the message. */
async function says(order_id: string, eventCode: string, success: string): Promise<string> {
  const { payments } = (await controlOf(w, 'adyen')('GET', '/books')) as {
    payments: readonly { psp: string; reference: string }[];
  };
  const payment = payments.find(({ reference }) => reference.startsWith(order_id));
  const pspReference = `BYHAND${process.pid}X${++count}`.slice(0, 16);
  const item = {
    amount: { currency: 'EUR', value: 500 },
    eventCode,
    eventDate: new Date().toISOString(),
    merchantAccountCode: w.service.simulators?.get('adyen')?.credentials['merchant_account'],
    merchantReference: 'made by hand',
    originalReference: payment?.psp,
    paymentMethod: 'visa',
    pspReference,
    reason: '',
    success,
  };
  const tells = adyen.tells?.(w);
  if (!tells) throw new Error('Adyen tells');
  const secret = w.service.simulators?.get('adyen')?.credentials['hmac_key'] ?? '';
  const body = JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] });
  const { text, headers } = await tells.sign(body, { secret });
  const answer = await fetch(await tells.address(), {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  });
  expect(answer.status).toBe(200);
  const event_ref = `${eventCode}.${pspReference}.${success}`;
  const work = `${await contractOf(w, 'adyen')} ${event_ref}`;
  await until(() => Promise.resolve(!w.service.tools.running.has(work) || undefined));
  return event_ref;
}

async function statesOf(event_refs: readonly string[]): Promise<readonly string[]> {
  const rows = await w.sql<{ state: string }>(`SELECT state FROM payment.provider_events WHERE event_ref = ANY ($1)`, [
    event_refs,
  ]);
  return rows.map(({ state }) => state);
}

/** What waits is looked at now, so much later. */
async function lookedAgain(event_refs: readonly string[], hours = 1): Promise<void> {
  await w.sql(
    `UPDATE payment.provider_events SET received_at = received_at - make_interval(hours => $2), looked_at = NULL
     WHERE event_ref = ANY ($1)`,
    [event_refs, hours],
  );
  await applyWaiting(w.service.tools, 100, recordDispute);
}

test('an operation made by hand is not taken for ours, whatever is said of it, and becomes one of its own once ours has ended', async () => {
  const order_id = await sold(w);
  const operation_id = await lostRefund(w, order_id);
  const said = [
    await says(order_id, 'REFUND_FAILED', 'true'),
    await says(order_id, 'REFUND', 'false'),
    await says(order_id, 'REFUND', 'true'),
  ];
  await lookedAgain(said);
  expect(await statesOf(said)).toEqual(['received', 'received', 'received']);
  expect((await w.shop.read(order_id)).at('status')).toBe('refund_requested');
  await repeated(w, operation_id);
  await lookedAgain(said);
  // the worker may have taken one up before; what was done waits until ours has ended
  const [failed = '', refused = '', done = ''] = said;
  // nothing was done by it
  await until(async () => (await statesOf([refused])).every((state) => state === 'ignored') || undefined);
  // what failed may be told before it is told itself
  expect(await statesOf([failed, done])).toEqual(['received', 'received']);
  await lookedAgain([failed], 24);
  await until(async () => (await statesOf([failed])).every((state) => state === 'parked') || undefined);
  await told(w, order_id);
  const there = await adyen.drive(w).books(order_id);
  expect(there.map(({ refunded }) => refunded)).toEqual([500n]);
  await lookedAgain([done]);
  await until(async () => (await statesOf([done])).every((state) => state === 'applied') || undefined);
  const refunds = await w.sql<{ id: string; origin: string }>(
    `SELECT encode(id, 'hex') AS id, origin FROM payment.operations
     WHERE order_id = decode($1, 'hex') AND kind = 'refund' AND state = 'successful' ORDER BY origin`,
    [order_id],
  );
  expect(refunds).toEqual([
    { id: operation_id, origin: 'merchant' },
    { id: expect.any(String), origin: 'provider' },
  ]);
});
