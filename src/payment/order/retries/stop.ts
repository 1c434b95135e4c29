// DELETE /payment/order/{order_id}/retry: a declined payment is not tried again later (contract 7.7). Said once more it
// is done already.
import { isId } from '../../../core/ids.ts';
import { refuseUnknown } from '../../../core/refusals.ts';
import { result } from '../../../core/results.ts';
import { id, object, resultOf } from '../../../kit/http/schema.ts';
import type { Answer } from '../../../kit/http/route.ts';
import { type WriteRequest, once } from '../../merchant/once.ts';
import type { OrderFacts } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import type { Tools } from '../../tools.ts';
import { RETRY, type RetryFacts, retryView } from '../../retry-told.ts';
import { endRetry } from './store.ts';

export const STOPPED = object(
  { result: resultOf('request_completed'), order_id: id('The order', '66bf18d25d1c9a0e47b2f317'), retry: RETRY },
  { title: 'RetryStopped' },
);

export async function stopRetries(tools: Tools, request: WriteRequest<unknown, RetryFacts>): Promise<Answer> {
  const { caller, params, request_id } = request;
  const { merchant_account_id } = caller;
  const order_id = params['order_id'] ?? '';
  const db = tools.db.tenant(merchant_account_id);
  if (!isId(order_id) || !(await findOrder(db, order_id))) throw refuseUnknown('order');
  const of = { merchant_account_id, order_id };
  return once(tools, request, {
    object_id: order_id,
    work: async (tx) => {
      const stopped = await endRetry(tx, of, { ending: 'stopped_by_merchant', from: ['waiting'], request_id });
      return stoppedRetry(await findOrder(tx, order_id), stopped);
    },
    answer: async (retry) => {
      tools.wake_up.wake();
      return shown(order_id, retry);
    },
    again: async () => shown(order_id, stoppedRetry(await findOrder(db, order_id), false)),
  });
}

function stoppedRetry(order: OrderFacts | undefined, stopped: boolean): RetryFacts {
  const retry = order?.retry;
  if (!retry || (!stopped && retry.ending !== 'stopped_by_merchant'))
    throw refuseUnknown('later try that waits', retry?.state === 'running' ? 'one is under way' : 'read the order');
  return retry;
}

function shown(order_id: string, retry: RetryFacts): Answer {
  return { body: { result: result('request_completed'), order_id, retry: retryView(retry) } };
}
