// News that contradicts a final state (contract 14.2): it is kept, the order is in doubt, the money is blocked, the
// provider is asked, the merchant is told, and a person ends it. All messages here are signed with the provider's real
// secret.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { resolveByHand } from '../../src/payment/order/review/settle.ts';
import { textAt } from '../client.ts';
import { type Receiver, receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';
import { contractOf } from './mail.ts';
import { operationsOf, says } from './said.ts';

let w: World;
let server: Receiver;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  server = await receiver();
  await w.shop.api('/notification/endpoint', { body: { url: server.url } });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** An order of 25.00 whose first capture the bank refuses. */
async function captureDeclined(): Promise<{ order_id: string; capture: string }> {
  const order_id = textAt(
    await w.shop.pay({ card_number: '4000009902000010' }, { operation_type: 'authorize' }),
    'order_id',
  );
  expect((await maintain('capture', order_id)).status).toBe(422);
  const [capture = ''] = await operationsOf(w, order_id, 'capture');
  return { order_id, capture };
}

/** A sale of 25.00 whose first refund the bank refuses. */
async function refundDeclined(): Promise<{ order_id: string; refund: string }> {
  const order_id = textAt(await w.shop.pay({ card_number: '4000009903000019' }), 'order_id');
  expect((await maintain('refund', order_id)).status).toBe(422);
  const [refund = ''] = await operationsOf(w, order_id, 'refund');
  return { order_id, refund };
}

const maintain = (kind: string, order_id: string, body: object = {}) =>
  w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body, headers: { prefer: 'wait=10' } });

const approvalOf = (kind: 'capture' | 'refund', reference: string, order_id: string) => ({
  order_id,
  reference,
  kind,
  status: 'approved',
  provider_ref: 'late_1',
  ...(kind === 'capture' ? { code: '955555', captured: true } : { code: '966666' }),
});

const told = (order_id: string) =>
  server.until((all) =>
    all.some(({ body }) => body['event'] === 'order.contradicted' && body['order_id'] === order_id),
  );

async function ledgerHolds(): Promise<void> {
  const verdict = await verifyLedger({ db: w.service.tools.db, progress: () => undefined });
  expect(verdict.first).toBeUndefined();
}

test('a capture that was declined and is approved late: in doubt, no second capture, told, and never applied into nothing', async () => {
  const { order_id, capture } = await captureDeclined();
  await says(w, approvalOf('capture', capture, order_id));
  const read = await w.shop.read(order_id);
  expect([read.at('is_in_doubt'), read.at('status')]).toEqual([true, 'capture_declined']);
  expect(read.at('transactions.0')).toMatchObject({ is_capturable: false, is_cancellable: false });
  const again = await maintain('capture', order_id);
  expect([again.status, again.code]).toEqual([409, '511032']);
  const cancel = await maintain('cancel', order_id);
  expect([cancel.status, cancel.code]).toEqual([409, '711033']);
  const note = (await told(order_id)).at(-1);
  expect(note?.body).toMatchObject({
    event: 'order.contradicted',
    order_id,
    about: 'capture',
    said: 'approved',
    capture_id: capture,
    status: 'capture_declined',
    is_capturable: false,
    is_cancellable: false,
  });
  await ledgerHolds();
});

test('a refund that was declined and is approved late: in doubt, and the same money is not refunded twice', async () => {
  const { order_id, refund } = await refundDeclined();
  await says(w, approvalOf('refund', refund, order_id));
  const read = await w.shop.read(order_id);
  expect([read.at('is_in_doubt'), read.at('transactions.0.is_refundable')]).toEqual([true, false]);
  const again = await maintain('refund', order_id);
  expect([again.status, again.code]).toEqual([409, '611032']);
  await ledgerHolds();
});

test('a capture that fails after a part of it was refunded: in doubt, nothing more is refunded, and the merchant is told', async () => {
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  await maintain('capture', order_id);
  expect((await maintain('refund', order_id, { amount: '10.00' })).code).toBe('966666');
  const [capture = ''] = await operationsOf(w, order_id, 'capture');
  const [row] = await w.sql<{ ref: string }>(
    `SELECT provider_ref AS ref FROM payment.operations WHERE id = decode($1, 'hex')`,
    [capture],
  );
  await says(w, { order_id, reference: capture, kind: 'capture', status: 'failed', provider_ref: row?.ref });
  const read = await w.shop.read(order_id);
  expect([read.at('is_in_doubt'), read.at('status')]).toEqual([true, 'refund_successful']);
  const more = await maintain('refund', order_id, { amount: '5.00' });
  expect([more.status, more.code]).toEqual([409, '611032']);
  await told(order_id);
  await ledgerHolds();
});

test("a capture that fails after the payer's bank took its money back: in doubt, as if the news had come the other way round", async () => {
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  await maintain('capture', order_id);
  const [capture = ''] = await operationsOf(w, order_id, 'capture');
  const [row] = await w.sql<{ ref: string }>(
    `SELECT provider_ref AS ref FROM payment.operations WHERE id = decode($1, 'hex')`,
    [capture],
  );
  const of_it = { order_id, reference: capture, provider_ref: row?.ref };
  expect(await says(w, { ...of_it, kind: 'dispute', status: 'opened' })).toMatchObject({ state: 'applied' });
  await says(w, { ...of_it, kind: 'capture', status: 'failed' });
  const read = await w.shop.read(order_id);
  expect([read.at('is_in_doubt'), read.at('status')]).toEqual([true, 'capture_successful']);
  // booked back as well, the provider would be owed the money twice
  const [owed] = await w.sql<{ minor: number }>(
    `SELECT sum(CASE 'provider_receivable' WHEN debit THEN amount_minor WHEN credit THEN -amount_minor ELSE 0 END)::int AS minor
     FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  expect(owed?.minor).toBe(0);
  await told(order_id);
  await ledgerHolds();
});

test('the notification of its end promises what can be done from then on', async () => {
  const { order_id, capture } = await captureDeclined();
  await says(w, approvalOf('capture', capture, order_id));
  await resolveByHand(w.service.tools, {
    operation_id: capture,
    as: 'done',
    by: 'Anna',
    reason: 'seen in the portal of the bank, case 4711',
    two_people_above: () => 100_000n,
  });
  const done = (body: Readonly<Record<string, unknown>>) =>
    body['event'] === 'capture_successful' && body['order_id'] === order_id;
  const taken = await server.until((all) => all.some(({ body }) => done(body)));
  expect(taken.find(({ body }) => done(body))?.body).toMatchObject({ is_capturable: false, is_refundable: true });
  expect((await w.shop.read(order_id)).at('transactions.0.is_refundable')).toBe(true);
});

test('a message of the same id for another account is not taken for a repetition', async () => {
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  const [reference = ''] = await operationsOf(w, order_id, 'authorize');
  await w.sql(
    `INSERT INTO payment.provider_events (provider, contract_id, event_ref, merchant_account_id, body, state, reason)
     VALUES ('simulator', decode($2, 'hex'), 'evt_shared', decode($1, 'hex'), '{}', 'parked', 'of another account')`,
    ['0123456789abcdef01234567', await contractOf(w)],
  );
  await says(w, { order_id, reference, kind: 'authorize', status: 'lapsed', id: 'evt_shared' });
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_expired');
});
