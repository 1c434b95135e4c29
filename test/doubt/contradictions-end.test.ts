// How a contradiction ends (contract 14.1, 14.2): the provider's own books prove its news, or a person says what became
// of the operation. Ledger, counters, events and versions are right after each.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { listUndecided } from '../../src/payment/order/review/list.ts';
import { type Resolution, resolveByHand } from '../../src/payment/order/review/settle.ts';
import { type Reply, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { operationsOf, says } from './said.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const maintain = (kind: string, order_id: string, body: object = {}) =>
  w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body, headers: { prefer: 'wait=10' } });

const rule = (operation_id: string, as: Resolution['as']) =>
  resolveByHand(w.service.tools, {
    operation_id,
    as,
    by: 'Anna',
    reason: 'seen in the portal of the bank, case 4711',
    two_people_above: () => 100_000n,
  });

async function ledgerHolds(): Promise<void> {
  expect((await verifyLedger({ db: w.service.tools.db, progress: () => undefined })).first).toBeUndefined();
}

const statuses = (read: Reply) =>
  (read.at('transactions.0.status_history') as readonly { readonly status: string }[]).map(({ status }) => status);

/** An order of 25.00 whose first capture the bank refuses, and then says that it was done. */
async function captureContradicted(): Promise<{ order_id: string; capture: string }> {
  const card = { card_number: '4000009902000010' };
  const order_id = textAt(await w.shop.pay(card, { operation_type: 'authorize' }), 'order_id');
  expect((await maintain('capture', order_id)).status).toBe(422);
  const [capture = ''] = await operationsOf(w, order_id, 'capture');
  await approves('capture', capture, order_id);
  return { order_id, capture };
}

const approves = (kind: 'capture' | 'refund', reference: string, order_id: string) =>
  says(w, {
    order_id,
    reference,
    kind,
    status: 'approved',
    provider_ref: `late_${reference}`,
    ...(kind === 'capture' ? { code: '955555', captured: true } : { code: '966666' }),
  });

test('a person says that the capture was done: it is booked, told as a status of its own, and can be refunded', async () => {
  const { order_id, capture } = await captureContradicted();
  const listed = await listUndecided(w.service.tools.db, 1000);
  expect(listed.find(({ id }) => id === capture)).toMatchObject({
    state: 'contradicted',
    held: 'declined',
    said: 'approved',
    kind: 'capture',
    amount_minor: 2500n,
  });
  const before = Number((await w.shop.read(order_id)).at('order_version'));
  expect(await rule(capture, 'done')).toMatchObject({ kind: 'settled', operation: { state: 'successful' } });
  const read = await w.shop.read(order_id);
  expect([read.at('status'), read.at('is_in_doubt'), read.code]).toEqual(['capture_successful', false, '955555']);
  expect(read.at('transactions.0')).toMatchObject({ captured_amount: 25, capturable_amount: 0, refundable_amount: 25 });
  expect(read.at('transactions.0.is_refundable')).toBe(true);
  expect(Number(read.at('order_version'))).toBeGreaterThan(before);
  expect(statuses(read).slice(-2)).toEqual(['capture_declined', 'capture_successful']);
  await ledgerHolds();
});

test('a person says that it was not done: what is held here stays, and the money is free again', async () => {
  const { order_id, capture } = await captureContradicted();
  expect(await rule(capture, 'not-done')).toMatchObject({ kind: 'settled', operation: { state: 'declined' } });
  const read = await w.shop.read(order_id);
  expect([read.at('status'), read.at('is_in_doubt')]).toEqual(['capture_declined', false]);
  expect((await maintain('capture', order_id, { amount: '5.00' })).code).not.toBe('511032');
  await ledgerHolds();
});

test('a capture that failed after a part of it was refunded: ruled so, nothing is captured and the refund stays booked', async () => {
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  await maintain('capture', order_id);
  await maintain('refund', order_id, { amount: '10.00' });
  const [capture = ''] = await operationsOf(w, order_id, 'capture');
  const [row] = await w.sql<{ ref: string }>(
    `SELECT provider_ref AS ref FROM payment.operations WHERE id = decode($1, 'hex')`,
    [capture],
  );
  await says(w, { order_id, reference: capture, kind: 'capture', status: 'failed', provider_ref: row?.ref });
  expect(await rule(capture, 'not-done')).toMatchObject({ kind: 'settled', operation: { state: 'declined' } });
  const read = await w.shop.read(order_id);
  expect([read.at('status'), read.at('is_in_doubt')]).toEqual(['capture_declined', false]);
  expect(read.at('transactions.0')).toMatchObject({ captured_amount: 0, refunded_amount: 10, refundable_amount: 0 });
  expect((await maintain('refund', order_id)).status).toBe(409);
  await ledgerHolds();
});

test('a refund that was done after all: the payer has both, and no more is refunded than a person ruled', async () => {
  const order_id = textAt(await w.shop.pay({ card_number: '4000009903000019' }), 'order_id');
  expect((await maintain('refund', order_id)).status).toBe(422);
  const [refund = ''] = await operationsOf(w, order_id, 'refund');
  // the bank refuses the first refund only
  expect((await maintain('refund', order_id)).code).toBe('966666');
  await approves('refund', refund, order_id);
  expect(await rule(refund, 'done')).toMatchObject({ kind: 'settled', operation: { state: 'successful' } });
  const read = await w.shop.read(order_id);
  expect(read.at('transactions.0')).toMatchObject({ refunded_amount: 50, refundable_amount: 0 });
  expect((await maintain('refund', order_id)).code).toBe('611031');
  await ledgerHolds();
});

test('a cancel that failed after all: the hold stands again, and can be captured', async () => {
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  await maintain('cancel', order_id);
  const [cancel = ''] = await operationsOf(w, order_id, 'cancel');
  await says(w, { order_id, reference: cancel, kind: 'cancel', status: 'declined', code: '721288' });
  expect((await w.shop.read(order_id)).at('is_in_doubt')).toBe(true);
  expect(await rule(cancel, 'not-done')).toMatchObject({ kind: 'settled', operation: { state: 'declined' } });
  const read = await w.shop.read(order_id);
  expect([read.at('status'), read.at('transactions.0.capturable_amount')]).toEqual([
    'authorization_cancel_declined',
    25,
  ]);
  expect(read.at('transactions.0')).toMatchObject({ is_capturable: true, is_cancellable: true });
  await ledgerHolds();
});

test('news that the books of the provider confirm is proved: nobody has to rule', async () => {
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  await maintain('capture', order_id);
  const [capture = ''] = await operationsOf(w, order_id, 'capture');
  // here it is held as declined, there it was done
  await w.sql(`SET session_replication_role = replica`);
  await w.sql(`UPDATE payment.operations SET state = 'declined', code = '521288' WHERE id = decode($1, 'hex')`, [
    capture,
  ]);
  await w.sql(
    `UPDATE payment.orders SET captured_minor = 0, status = 'capture_declined' WHERE id = decode($1, 'hex')`,
    [order_id],
  );
  await w.sql(`DELETE FROM payment.ledger_entries WHERE source_id = decode($1, 'hex')`, [capture]);
  await w.sql(`SET session_replication_role = origin`);
  await approves('capture', capture, order_id);
  await until(async () => (await w.shop.read(order_id)).at('status') === 'capture_successful' || undefined);
  const read = await w.shop.read(order_id);
  expect([read.at('is_in_doubt'), read.at('transactions.0.captured_amount')]).toEqual([false, 25]);
  await ledgerHolds();
});

test('news that names other money cannot be booked, and a person can only say that ours stands', async () => {
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  await maintain('capture', order_id);
  const [capture = ''] = await operationsOf(w, order_id, 'capture');
  const other = { status: 'approved', code: '955555', captured: true, amount: 2499 };
  await says(w, { order_id, reference: capture, kind: 'capture', ...other });
  await expect(rule(capture, 'not-done')).rejects.toThrow('names other money');
  expect(await rule(capture, 'done')).toMatchObject({ kind: 'settled' });
  expect((await w.shop.read(order_id)).at('is_in_doubt')).toBe(false);
});

test('an authorization that failed after all can be tried again, and the second one holds', async () => {
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  const [authorize = ''] = await operationsOf(w, order_id, 'authorize');
  await says(w, { order_id, reference: authorize, kind: 'authorize', status: 'declined', code: '420188' });
  await until(async () => (await w.shop.read(order_id)).at('is_in_doubt') === true || undefined);
  expect(await rule(authorize, 'not-done')).toMatchObject({ kind: 'settled', operation: { state: 'declined' } });
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_declined');
  const again = await w.shop.api(`/payment/order/${order_id}`, {
    method: 'PUT',
    body: { token: await w.shop.token() },
    headers: { prefer: 'wait=10' },
  });
  expect([again.status, again.code], again.text).toEqual([200, '944444']);
  const captured = await maintain('capture', order_id);
  expect(captured.code, captured.text).toBe('955555');
  await ledgerHolds();
});

test("a capture that failed after the payer's bank took its money back: the provider's books do not end it, a person does", async () => {
  // done, and fails after a day
  const card = { card_number: '4000009902000044' };
  const order_id = textAt(await w.shop.pay(card, { operation_type: 'authorize' }), 'order_id');
  await maintain('capture', order_id);
  const [capture = ''] = await operationsOf(w, order_id, 'capture');
  const at = w.service.tools.clock.now().toISOString();
  await says(w, { order_id, reference: capture, kind: 'dispute', status: 'opened', at });
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 2 * 86_400 } });
  const asked = await w.sql<{ tries: number }>(
    `SELECT tries FROM payment.contradictions WHERE operation_id = decode($1, 'hex') AND state = 'open'`,
    [capture],
  );
  expect(asked.map(({ tries }) => tries > 0)).toEqual([true]);
  const read = await w.shop.read(order_id);
  expect([read.at('is_in_doubt'), read.at('status')]).toEqual([true, 'capture_successful']);
  expect(await rule(capture, 'not-done')).toMatchObject({ kind: 'settled', operation: { state: 'declined' } });
  const after = await w.shop.read(order_id);
  expect([after.at('is_in_doubt'), after.at('status')]).toEqual([false, 'capture_declined']);
  expect(after.at('transactions.0')).toMatchObject({ captured_amount: 0, is_chargebacked: true });
  await ledgerHolds();
  // what the bank took stands in the books until it gives it back
  const won = { status: 'won', at: w.service.tools.clock.now().toISOString() };
  expect(await says(w, { order_id, reference: capture, kind: 'dispute', ...won })).toMatchObject({ state: 'applied' });
  const [owed] = await w.sql<{ minor: number }>(
    `SELECT sum(CASE 'provider_receivable' WHEN debit THEN amount_minor WHEN credit THEN -amount_minor ELSE 0 END)::int AS minor
     FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  expect([owed?.minor, (await w.shop.read(order_id)).at('is_in_doubt')]).toEqual([0, false]);
  await ledgerHolds();
});
