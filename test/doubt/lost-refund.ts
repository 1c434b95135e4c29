// A refund in doubt that stays so until a test looks at it.
import { expect } from 'vitest';
import type { Till } from '../maintenance/till.ts';
import { operationsOf } from './said.ts';

/** A refund whose call was lost long ago, and that nobody looks at. */
export async function lostRefund(till: Till): Promise<{ readonly order_id: string; readonly operation_id: string }> {
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
