// A person says that an operation in doubt was not done, while another process sends it once more: what is on its way
// then may be done all the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CannotSettle, type Resolution, resolveByHand } from '../../src/payment/order/review/settle.ts';
import { looked, stall } from '../conformance/interrupt.ts';
import { lostRefund } from '../doubt/lost-refund.ts';
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

const rule = (ruling: Pick<Resolution, 'operation_id' | 'also'>) =>
  resolveByHand(till.w.service.tools, { ...RULING, ...ruling });

const refundsAtBank = async (order_id: string) =>
  (await till.books(order_id)).filter(({ kind }) => kind === 'refund').map(({ effects }) => effects);

test('it is refused where the operation was sent again meanwhile, and the refund ends as what it was', async () => {
  const { order_id, operation_id } = await lostRefund(till);
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
