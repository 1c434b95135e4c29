// A person says that an operation in doubt was not done, while another process sends it once more: what is on its way
// then may be done all the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CannotSettle, type Resolution, resolveByHand } from '../../src/payment/order/review/settle.ts';
import { looked, stall } from '../conformance/interrupt.ts';
import { operationsOf } from '../doubt/said.ts';
import { type Till, openTill } from '../maintenance/till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const RULING = {
  as: 'not-done',
  reason: 'seen in the portal of the bank, case 4711',
  by: 'Anna',
  two_people_above: () => 100_000n,
} as const;

/** A refund whose call was lost long ago, and that nobody looks at. */
async function lost(): Promise<{ readonly order_id: string; readonly operation_id: string }> {
  const order_id = await till.sell();
  const scenario = { operation: 'refund', fault: 'http_500_before', times: 1 };
  expect((await till.shop.api('/sandbox/scenario', { body: scenario })).status).toBe(200);
  await till.maintain('refund', order_id, {}, { prefer: 'wait=1' });
  const [operation_id = ''] = await operationsOf(till.w, order_id, 'refund');
  await till.w.sql(
    `UPDATE payment.operations
     SET created_at = created_at - interval '1 hour', due_at = payment.now() + interval '1 hour', state = 'in_doubt'
     WHERE id = decode($1, 'hex')`,
    [operation_id],
  );
  return { order_id, operation_id };
}

const rule = (ruling: Pick<Resolution, 'operation_id' | 'also'>) =>
  resolveByHand(till.w.service.tools, { ...RULING, ...ruling });

const refundsAtBank = async (order_id: string) =>
  (await till.books(order_id)).filter(({ kind }) => kind === 'refund').map(({ effects }) => effects);

test('it is refused where the operation was sent again meanwhile, and the refund ends as what it was', async () => {
  const { order_id, operation_id } = await lost();
  using still = stall(till.w, 'refund');
  let recovery = Promise.resolve();
  const also = async () => {
    recovery = looked(till.w, order_id);
    await still.reached;
  };
  const ruled = await rule({ operation_id, also }).catch((error: unknown) => error);
  expect(await refundsAtBank(order_id)).toEqual([1]);
  expect(ruled).toBeInstanceOf(CannotSettle);
  still.goOn();
  await recovery;
  expect((await till.shop.read(order_id)).at('status')).toBe('refund_successful');
  expect((await till.shop.read(order_id)).at('is_in_doubt')).toBe(false);
});
