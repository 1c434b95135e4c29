// A reversal that overtook its authorization finds nothing to undo, and a message tells so. Messages may come long
// after what they tell of: then this one proves nothing of an authorization that has arrived since.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Forward } from '../../src/payment/vault-link.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { looked } from '../conformance/interrupt.ts';
import { textAt, until } from '../client.ts';
import { holdRecovery, sentEarlier } from '../undecided.ts';
import { type World, world } from '../world.ts';

let w: World;
// one for each: a provider that has left several calls unanswered gets no payments for a while
beforeEach(async () => {
  count = 0;
  w = await world({ FLORIN_WITH: 'adyen' });
});
afterEach(() => w[Symbol.asyncDispose]());

/** The calls that the vault is asked for, from now on. */
function calls(): readonly Forward[] {
  const { tools } = w.service;
  const { vault } = tools;
  const seen: Forward[] = [];
  const forward: typeof vault.forward = (one) => {
    seen.push(one);
    return vault.forward(one);
  };
  Object.assign(tools, { vault: { ...vault, forward } });
  return seen;
}

async function statesOf(order_id: string): Promise<readonly string[]> {
  const rows = await w.sql<{ state: string }>(
    `SELECT kind || ' ' || state AS state FROM payment.operations WHERE order_id = decode($1, 'hex') ORDER BY id`,
    [order_id],
  );
  return rows.map(({ state }) => state);
}

type There = { readonly payments: readonly { readonly state: string }[] };

async function noMessageWaits(): Promise<void> {
  await until(async () => {
    const waiting = await w.sql(`SELECT 1 FROM payment.provider_events WHERE state = 'received'`);
    return waiting.length === 0 || undefined;
  });
}

const OPEN = ['authorize reversing', 'cancel requested'];
const RELEASED = ['authorize declined', 'cancel successful', 'reversal successful'];
let count = 0;

/** Its call has no answer, with an effect or without, and it is cancelled; the messages of it are held back. */
async function cancelledInDoubt(named: string, effect: boolean): Promise<string> {
  const control = controlOf(w, 'adyen');
  await control('POST', '/messages', { held: true });
  await control('POST', '/faults', { on: 'payments', how: 'close', effect });
  const token = await w.shop.token();
  const order_merchant_id = `${named}-${++count}`;
  const order = { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id };
  const paying = { merchant_contract: 'adyen', payment_channel: 'e-commerce', token, ...order };
  const order_id = textAt(await w.shop.order(paying, { prefer: 'wait=1' }), 'order_id');
  await until(() => w.service.tools.running.find(order_id) === undefined || undefined);
  const cancel = await w.shop.api(`/payment/maintenance/cancel/${order_id}`, {
    method: 'POST',
    headers: { prefer: 'wait=0' },
  });
  expect(cancel.at('status'), cancel.text).toBe('authorization_cancel_requested');
  return order_id;
}

/** The next cancels are of a payment that is not there, until what this answers is called. */
function cancelsMiss(): () => void {
  const { tools } = w.service;
  const { direct } = tools;
  const missing: typeof direct = (one) => {
    const body = one.body.map((part) =>
      typeof part === 'string' ? part.replace(/("paymentReference":")/, '$1not-') : part,
    );
    return direct({ ...one, body });
  };
  Object.assign(tools, { direct: missing });
  return () => void Object.assign(tools, { direct });
}

async function toldOfTheCancel(order_id: string): Promise<void> {
  await controlOf(w, 'adyen')('POST', '/deliver', { only: ['TECHNICAL_CANCEL'] });
  await noMessageWaits();
  await until(() => w.service.tools.running.find(order_id) === undefined || undefined);
}

function agesBy400s(order_id: string): Promise<unknown> {
  return w.sql(
    `UPDATE payment.operations SET created_at = created_at - interval '400 s', sent_at = sent_at - interval '400 s' WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
}

/** The authorization left so long before its reversal that it could not come any more; the message tells of another. */
async function ofAnEarlierSending(order_id: string): Promise<void> {
  await w.sql(
    `UPDATE payment.operations SET created_at = created_at - interval '400 s', sent_at = sent_at - interval '400 s' WHERE order_id = decode($1, 'hex') AND kind = 'authorize'`,
    [order_id],
  );
  await w.sql(
    `UPDATE payment.operations SET provider_ref = 'LATERSENDING0001' WHERE order_id = decode($1, 'hex') AND kind = 'reversal'`,
    [order_id],
  );
}

test.each([
  ['before anything else happened', 0, undefined],
  ['after the reversal was sent again, and did not arrive', 2, undefined],
  ['by a message of an earlier sending than the last', 0, ofAnEarlierSending],
] as const)(
  'that nothing was found before the authorization arrived does not end its reversal, %s',
  async (_, looks, before) => {
    const control = controlOf(w, 'adyen');
    const asked = calls();
    const letGo = await holdRecovery(w);
    // it is on its way
    const order_id = await cancelledInDoubt('overtaken', false);
    // the reversal is sent, and finds nothing
    await looked(w, order_id);
    expect(await statesOf(order_id)).toEqual([...OPEN, 'reversal requested']);
    const [call] = asked;
    if (!call) throw new Error('it was sent by the vault');
    // the authorization arrives
    await w.service.tools.vault.forward({ ...call, operation_id: w.service.tools.chance.id() });
    // and so much time goes by that nothing can arrive any more, until the message comes
    await sentEarlier(w, order_id, 200);
    await w.sql(
      `UPDATE payment.operations SET created_at = created_at - interval '200 s', sent_at = sent_at - interval '200 s' WHERE order_id = decode($1, 'hex')`,
      [order_id],
    );
    await control('POST', '/faults', { on: 'technical', how: 'error' });
    for (let times = 0; times < looks; times++) await looked(w, order_id);
    await control('POST', '/faults/clear', {});
    await before?.(order_id);
    await toldOfTheCancel(order_id);
    expect(await statesOf(order_id)).toEqual([...OPEN, 'reversal in_doubt']);
    // it is sent once more, and now there is something
    await control('POST', '/messages', { held: false });
    await letGo();
    await w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE order_id = decode($1, 'hex')`, [order_id]);
    await until(async () => (await w.shop.read(order_id)).at('status') === 'authorization_cancelled' || undefined);
    const { payments } = (await control('GET', '/books')) as There;
    expect(payments.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'cancelled'));
  },
);

test('that a cancel came to nothing does not end it either, once the provider has told that the authorization is there', async () => {
  const control = controlOf(w, 'adyen');
  const asked = calls();
  const letGo = await holdRecovery(w);
  const order_id = await cancelledInDoubt('told', false);
  await looked(w, order_id);
  expect(await statesOf(order_id)).toEqual([...OPEN, 'reversal requested']);
  const [call] = asked;
  if (!call) throw new Error('it was sent by the vault');
  await w.service.tools.vault.forward({ ...call, operation_id: w.service.tools.chance.id() });
  await control('POST', '/deliver', { only: ['TECHNICAL_CANCEL'] });
  await control('POST', '/deliver', { only: ['AUTHORISATION'] });
  await noMessageWaits();
  await sentEarlier(w, order_id, 200);
  await w.sql(
    `UPDATE payment.operations SET created_at = created_at - interval '200 s', sent_at = sent_at - interval '200 s' WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  // the next cancel is of a payment that is not there
  const reach = cancelsMiss();
  await looked(w, order_id);
  await toldOfTheCancel(order_id);
  reach();
  expect(await statesOf(order_id)).toEqual([...OPEN, 'reversal in_doubt']);
  // it is sent once more, and reaches what stands there
  await control('POST', '/messages', { held: false });
  await letGo();
  await w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE order_id = decode($1, 'hex')`, [order_id]);
  await until(async () => (await w.shop.read(order_id)).at('status') === 'authorization_cancelled' || undefined);
  const { payments } = (await control('GET', '/books')) as There;
  expect(payments.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'cancelled'));
});

test('of what was released before, it ends the reversal that a late message of the approval began', async () => {
  const control = controlOf(w, 'adyen');
  const letGo = await holdRecovery(w);
  const order_id = await cancelledInDoubt('late', true);
  await sentEarlier(w, order_id, 400);
  await agesBy400s(order_id);
  await looked(w, order_id);
  await toldOfTheCancel(order_id);
  expect(await statesOf(order_id)).toEqual(RELEASED);
  await control('POST', '/deliver', { only: ['AUTHORISATION'] });
  await noMessageWaits();
  expect(await statesOf(order_id)).toEqual([...RELEASED, 'reversal requested']);
  await agesBy400s(order_id);
  await looked(w, order_id);
  await toldOfTheCancel(order_id);
  expect(await statesOf(order_id)).toEqual([...RELEASED, 'reversal successful']);
  await control('POST', '/messages', { held: false });
  await letGo();
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_cancelled');
  const { payments } = (await control('GET', '/books')) as There;
  expect(payments.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'cancelled'));
});

test('of what its own first sending released while the authorization could still arrive, it ends it', async () => {
  const control = controlOf(w, 'adyen');
  const letGo = await holdRecovery(w);
  const order_id = await cancelledInDoubt('soon', true);
  await looked(w, order_id);
  await toldOfTheCancel(order_id);
  expect(await statesOf(order_id)).toEqual([...OPEN, 'reversal in_doubt']);
  await control('POST', '/deliver', { only: ['AUTHORISATION'] });
  await noMessageWaits();
  await sentEarlier(w, order_id, 400);
  await agesBy400s(order_id);
  // its message is overdue, so it is sent once more, and nothing is left to release
  await looked(w, order_id);
  await looked(w, order_id);
  await toldOfTheCancel(order_id);
  expect(await statesOf(order_id)).toEqual(RELEASED);
  await letGo();
  const { payments } = (await control('GET', '/books')) as There;
  expect(payments.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'cancelled'));
});

test('where the reversal before had found nothing either, it ends none: the payment came after it', async () => {
  const control = controlOf(w, 'adyen');
  const asked = calls();
  const letGo = await holdRecovery(w);
  const order_id = await cancelledInDoubt('after', false);
  await sentEarlier(w, order_id, 400);
  await agesBy400s(order_id);
  await looked(w, order_id);
  await toldOfTheCancel(order_id);
  expect(await statesOf(order_id)).toEqual(RELEASED);
  const [call] = asked;
  if (!call) throw new Error('it was sent by the vault');
  await w.service.tools.vault.forward({ ...call, operation_id: w.service.tools.chance.id() });
  await control('POST', '/deliver', { only: ['AUTHORISATION'] });
  await noMessageWaits();
  await agesBy400s(order_id);
  const reach = cancelsMiss();
  await looked(w, order_id);
  await toldOfTheCancel(order_id);
  reach();
  expect(await statesOf(order_id)).toEqual([...RELEASED, 'reversal in_doubt']);
  await control('POST', '/messages', { held: false });
  await letGo();
  await w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE order_id = decode($1, 'hex')`, [order_id]);
  await until(async () => (await statesOf(order_id)).at(-1) === 'reversal successful' || undefined);
  const { payments } = (await control('GET', '/books')) as There;
  expect(payments.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'cancelled'));
});
