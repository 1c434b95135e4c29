// How a route of the back office calls a verb that the API has too: what it is given, and what it answers. The audit
// record goes into the verb's own commit, as its `also`.
import { Reading } from '../core/shape.ts';
import type { RouteRequest } from '../kit/http/route.ts';
import { type Account, findAccount } from '../payment/merchant/account.ts';
import { type BackofficeRequest, type BackofficeContext, unknown } from './context.ts';

/** The request that a route of the API would have got for the same wish. */
export async function asRequest<B>(
  { tools }: Pick<BackofficeContext, 'tools'>,
  { account_id, params, path, request_id, client_ip, canonical }: BackofficeRequest,
  body: B,
): Promise<RouteRequest<Account, B, unknown>> {
  const caller = await findAccount(tools, account_id);
  if (!caller) throw unknown('account');
  return {
    caller,
    body,
    query: {},
    params,
    path,
    request_id,
    client_ip,
    headers: {},
    canonical,
    idempotency_key: undefined,
    wait_s: undefined,
    reading: new Reading(false),
  };
}
