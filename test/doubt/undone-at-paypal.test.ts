// A sale at PayPal that is undone, and PayPal decides meanwhile.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paypal } from '../conformance/at/paypal.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { type Bench, type Stand, openStand } from '../conformance/stand.ts';
import { textAt, until } from '../client.ts';

let stand: Stand;
let bench: Bench;
beforeAll(async () => {
  stand = await openStand();
  bench = stand.bench(paypal);
});
afterAll(() => stand[Symbol.asyncDispose]());

type Part = { readonly id: string; readonly status: string };
type Shown = {
  readonly purchase_units: readonly { readonly custom_id: string; readonly payments?: Record<string, Part[]> }[];
};

const control = (verb: 'GET' | 'POST', path: string, body?: object) => controlOf(stand.w, 'paypal')(verb, path, body);

/** The first part of this kind, and of this state, in PayPal's books of an order. */
async function partOf(order_id: string, name: 'captures' | 'refunds', state?: string): Promise<Part | undefined> {
  const { orders } = (await control('GET', '/books')) as { readonly orders: readonly Shown[] };
  const units = orders.map(({ purchase_units }) => purchase_units[0]);
  const parts = units.find((one) => one?.custom_id.startsWith(order_id))?.payments?.[name] ?? [];
  return parts.find(({ status }) => (state ?? status) === status);
}

const statesOf = (order_id: string) =>
  stand.w.sql<{ kind: string; state: string }>(
    `SELECT kind, state FROM payment.operations WHERE order_id = decode($1, 'hex') ORDER BY id`,
    [order_id],
  );

test('one that waited, was cancelled and is declined by PayPal is undone', async () => {
  const paid = await bench.pay({ operation_type: 'direct_capture' }, '4000000000000077', { prefer: 'wait=0' });
  const order_id = textAt(paid, 'order_id');
  await until(async () => partOf(order_id, 'captures'));
  await stand.leave(order_id);
  await bench.maintain('cancel', order_id, undefined, { prefer: 'wait=0' });
  const operations = await until(async () => {
    const found = await statesOf(order_id);
    return found.some(({ kind }) => kind === 'reversal') ? found : undefined;
  });
  expect(operations).toEqual(expect.arrayContaining([{ kind: 'authorize', state: 'reversing' }]));
  await stand.looked(order_id);
  await stand.looked(order_id);
  const capture = await partOf(order_id, 'captures');
  await control('POST', '/captures/status', { capture: capture?.id, status: 'DECLINED' });
  await stand.heal(order_id);
  expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_cancelled');
  expect(await stand.differences(order_id)).toEqual([]);
});

test('where the refund that undoes it fails later, it is refunded once more', async () => {
  await bench.drive.arm('silent_after', 'sell');
  const fields = { operation_type: 'direct_capture', amount: '25.77' };
  const order_id = textAt(await bench.pay(fields, undefined, { prefer: 'wait=0' }), 'order_id');
  await until(async () => partOf(order_id, 'captures'));
  await bench.maintain('cancel', order_id, undefined, { prefer: 'wait=0' });
  const refund = await until(async () => {
    await stand.looked(order_id);
    return partOf(order_id, 'refunds');
  });
  await control('POST', '/refunds/status', { refund: refund.id, status: 'FAILED' });
  const second = await until(async () => {
    await stand.looked(order_id);
    return partOf(order_id, 'refunds', 'PENDING');
  });
  await control('POST', '/refunds/status', { refund: second.id, status: 'COMPLETED' });
  await stand.heal(order_id);
  expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_cancelled');
  expect(await bench.drive.books(order_id)).toMatchObject([{ captured: 2577n, refunded: 2577n }]);
  expect(await stand.differences(order_id)).toEqual([]);
});
