// Sent again, with the same id and bytes: one notification (contract 13.4), or a range of them (our addition). What is replayed
// goes before the later ones of its order, as if it had never been sent.
import { datetime, id24, oneOf } from '../../../core/fields.ts';
import { isId } from '../../../core/ids.ts';
import { Refusal, refuseField } from '../../../core/refusals.ts';
import { result } from '../../../core/results.ts';
import { type Read, type Shape, required } from '../../../core/shape.ts';
import type { Answer, Incoming } from '../../../kit/http/route.ts';
import type { Notes } from '../../../kit/http/schema.ts';
import type { Account } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import { findEndpoint } from '../endpoint/store.ts';
import { findForReplay, replayNotification, replayRange } from './store.ts';

export const REPLAY = {
  endpoint_id: required(id24),
  state: oneOf('parked', 'delivered'),
  created_from: datetime,
  created_to: datetime,
} as const satisfies Shape;

export const REPLAY_NOTES: Notes = {
  endpoint_id: 'Those of this endpoint',
  state: 'parked unless given; delivered sends again what the endpoint has taken up already',
  created_from: 'Those made then or later',
  created_to: 'Those made before then',
};

const MOST = 10_000;

/** Asking twice is asking once: it is due now in any case. */
export async function replayOne(
  tools: Tools,
  { caller, params }: Incoming<Account, unknown, unknown>,
): Promise<Answer> {
  const db = tools.db.tenant(caller.merchant_account_id);
  const id = params['notification_id'] ?? '';
  const found = isId(id) ? await findForReplay(db, id) : undefined;
  if (!found) throw new Refusal('object_unknown', { detail: 'there is no such notification' });
  if (found.endpoint_state !== 'on')
    throw refuseField('notification_id', 'parameter_invalid', 'is of an endpoint that is deleted or switched off');
  await replayNotification(db, id);
  tools.waker.wake();
  return { body: { result: result('request_completed') } };
}

export async function replayMany(
  tools: Tools,
  { caller, body }: Incoming<Account, Read<typeof REPLAY>, unknown>,
): Promise<Answer> {
  const db = tools.db.tenant(caller.merchant_account_id);
  const endpoint = await findEndpoint(db, body.endpoint_id);
  if (endpoint?.state !== 'on')
    throw refuseField('endpoint_id', 'parameter_invalid', 'is no endpoint of this account that is switched on');
  const date = (value: string | undefined) => (value === undefined ? null : new Date(value));
  const replayed = await replayRange(db, {
    endpoint_id: endpoint.id,
    state: body.state ?? 'parked',
    created_from: date(body.created_from),
    created_to: date(body.created_to),
    room: MOST,
  });
  tools.waker.wake();
  return { body: { result: result('request_completed'), replayed, has_more: replayed === MOST } };
}
