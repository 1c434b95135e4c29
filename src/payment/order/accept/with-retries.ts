// Another attempt of an order that has later tries planned, in one transaction with what becomes of them: it is the
// next of them, or the merchant's own, which ends them.
import type { Runner } from '../../../kit/database.ts';
import type { Begun } from '../../declines/guard.ts';
import { NotTaken } from './guarded-store.ts';
import { endRetry, findRival, takeRetry } from '../retries/store.ts';
import type { NextAttempt } from './accept-store.ts';

type Next = Pick<NextAttempt, 'retries' | 'version' | 'order_id' | 'operation_id' | 'request_id'> & {
  readonly merchant_account_id: string;
};

/** Throws NotTaken where a later try does not begin after all: nothing of it may stay. */
export async function withRetries(
  tx: Runner,
  { retries, version, merchant_account_id, order_id, operation_id, request_id }: Next,
  accept: (tx: Runner) => Promise<Begun>,
): Promise<Begun> {
  const of = { merchant_account_id, order_id };
  const takes = retries === 'takes';
  if (takes && !(await takeRetry(tx, of, version))) return 'overtaken';
  const begun = await accept(tx);
  if (takes && begun !== 'begun') throw new NotTaken(begun);
  // asked last: before its row was there, the purchase could still be paid by another order
  if (takes && (await findRival(tx, of))) throw new NotTaken('overtaken');
  if (begun === 'begun' && retries === 'ends')
    await endRetry(tx, of, { ending: 'tried_again', from: ['waiting'], request_id });
  // risk rules or routing ended it where it began
  if (takes && operation_id === null) await endRetry(tx, of, { ending: 'refused', from: ['running'] });
  return begun;
}
