// DELETE /payment/order/{order_id}/retry: a declined payment is not tried again later (contract 7.7). Said once more it
// is done already.
import { isId } from '../../../core/ids.ts';
import { refuseUnknown } from '../../../core/refusals.ts';
import { result } from '../../../core/results.ts';
import { afterCommit } from '../../../kit/database.ts';
import { id, object, resultOf } from '../../../kit/http/schema.ts';
import type { Answer, RouteRequest } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import { findOrder } from '../facts/order-store.ts';
import type { Tools } from '../../tools.ts';
import { RETRY, retryView } from '../../retry-told.ts';
import { endRetry } from './store.ts';

export const STOPPED = object(
  { result: resultOf('request_completed'), order_id: id('The order', '66bf18d25d1c9a0e47b2f317'), retry: RETRY },
  { title: 'RetryStopped' },
);

type Stopping = Pick<RouteRequest<Account, unknown, unknown>, 'caller' | 'params' | 'request_id'>;

export async function stopRetries(tools: Tools, { caller, params, request_id }: Stopping): Promise<Answer> {
  const { merchant_account_id } = caller;
  const order_id = params['order_id'] ?? '';
  const db = tools.db.tenant(merchant_account_id);
  if (!isId(order_id) || !(await findOrder(db, order_id))) throw refuseUnknown('order');
  const of = { merchant_account_id, order_id };
  const stopped = await endRetry(db, of, { ending: 'stopped_by_merchant', from: ['waiting'], request_id });
  const read = () => findOrder(db, order_id);
  const retry = (await (stopped ? afterCommit(read) : read()))?.retry;
  if (!retry || (!stopped && retry.ending !== 'stopped_by_merchant'))
    throw refuseUnknown('later try that waits', retry?.state === 'running' ? 'one is under way' : 'read the order');
  tools.wake_up.wake();
  return { body: { result: result('request_completed'), order_id, retry: retryView(retry) } };
}
