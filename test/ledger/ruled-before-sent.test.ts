// Two people must say that a large refund was not done. What the first of them said before it was sent once more was
// said of an earlier call.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Resolution, resolveByHand } from '../../src/payment/order/review/settle.ts';
import { looked } from '../conformance/interrupt.ts';
import { lostRefund } from '../doubt/lost-refund.ts';
import { type Till, openTill } from '../maintenance/till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const [ANNA, BEN] = ['a', 'b'].map((letter) => ({ by: letter, person_id: letter.repeat(24) }));
const notDone = (operation_id: string, person: Pick<Resolution, 'by' | 'person_id'> | undefined) =>
  resolveByHand(till.w.service.tools, {
    operation_id,
    as: 'not-done',
    reason: 'seen in the portal of the bank, case 4711',
    by: '',
    ...person,
    two_people_above: () => 100n,
    whyNoSecond: () => Promise.resolve(undefined),
  });

/** It is sent once more, the answer is lost, and nothing of it is on its way any more. */
async function sentAgain(order_id: string, operation_id: string): Promise<void> {
  const scenario = { operation: 'refund', fault: 'http_500_before', times: 1 };
  expect((await till.shop.api('/sandbox/scenario', { body: scenario })).status).toBe(200);
  await looked(till.w, order_id);
  await quiet(operation_id);
}

/** An hour goes by for the operation, and for what was said of it. */
async function quiet(operation_id: string): Promise<void> {
  await till.w.sql(
    `UPDATE payment.operations
     SET created_at = created_at - interval '1 hour', sent_at = sent_at - interval '1 hour',
       due_at = payment.now() + interval '1 hour'
     WHERE id = decode($1, 'hex')`,
    [operation_id],
  );
  await till.w.sql(`SET session_replication_role = replica`);
  await till.w.sql(`UPDATE payment.rulings SET at = at - interval '1 hour' WHERE operation_id = decode($1, 'hex')`, [
    operation_id,
  ]);
  await till.w.sql(`SET session_replication_role = origin`);
}

test('a word from before the last sending does not count as that of the first of two', async () => {
  const { order_id, operation_id } = await lostRefund(till);
  expect((await notDone(operation_id, ANNA)).kind).toBe('waits');
  await sentAgain(order_id, operation_id);
  expect((await notDone(operation_id, BEN)).kind).toBe('waits');
  expect((await notDone(operation_id, ANNA)).kind).toBe('settled');
});

test('two who say so after it settle it', async () => {
  const { operation_id } = await lostRefund(till);
  expect((await notDone(operation_id, ANNA)).kind).toBe('waits');
  expect((await notDone(operation_id, BEN)).kind).toBe('settled');
});
