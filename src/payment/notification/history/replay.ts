// Sent again, with the same id and bytes: one notification (contract 13.4), or a range of them (our addition). What is
// replayed goes before the later ones of its order, as if it had never been sent.
import { cursorId, datetime, id24, oneOf } from '../../../core/fields.ts';
import { isId } from '../../../core/ids.ts';
import { Refusal, refuseField, refuseUnknown } from '../../../core/refusals.ts';
import { result } from '../../../core/results.ts';
import { type Read, type Shape, required } from '../../../core/shape.ts';
import type { Answer } from '../../../kit/http/route.ts';
import type { Notes } from '../../../kit/http/schema.ts';
import type { Tools } from '../../tools.ts';
import { findEndpoint } from '../endpoint/store.ts';
import { type WriteRequest, once } from '../../merchant/once.ts';
import type { Kept } from '../../store.ts';
import { dateOrNull } from './list.ts';
import { type Replayed, findForReplay, replayNotification, replayRange } from './store.ts';

export const REPLAY = {
  endpoint_id: required(id24),
  state: oneOf('parked', 'delivered'),
  created_from: datetime,
  created_to: datetime,
  cursor: cursorId,
} as const satisfies Shape;

export const REPLAY_NOTES: Notes = {
  endpoint_id: 'Those of this endpoint',
  state: 'parked unless given; delivered sends again what the endpoint has taken up already',
  created_from: 'Those made then or later',
  created_to: 'Those made before then',
  cursor: 'The `next_cursor` of the answer before: goes on behind those that it sent again',
};

const MOST = 10_000;
/** With one statement, which ends in time on a slow machine too. */
const AT_ONCE = 1000;

export function replayOne(tools: Tools, request: WriteRequest<unknown, void>): Promise<Answer> {
  const id = request.params['notification_id'] ?? '';
  if (!isId(id)) throw unknown();
  const answer = async () => ({ body: { result: result('request_completed') } });
  return once(tools, request, {
    object_id: id,
    work: async (tx) => {
      const found = await findForReplay(tx, id);
      if (!found) throw unknown();
      if (found.endpoint_state !== 'on')
        throw refuseField('notification_id', 'parameter_invalid', 'is of an endpoint that is deleted or switched off');
      await replayNotification(tx, id);
    },
    answer: () => {
      tools.wake_up.wake();
      return answer();
    },
    again: answer,
  });
}

function unknown(): Refusal {
  return refuseUnknown('notification');
}

type RangeRequest = WriteRequest<Read<typeof REPLAY>, Replayed>;

/** At most 10,000, the oldest first. Under a key that was used nothing more is sent again: it is told what was. */
export function replayMany(tools: Tools, request: RangeRequest): Promise<Answer> {
  const { endpoint_id, state = 'parked', created_from, created_to, cursor = null } = request.body;
  return once(tools, request, {
    object_id: endpoint_id,
    work: async (tx) => {
      const endpoint = await findEndpoint(tx, endpoint_id);
      if (endpoint?.state !== 'on')
        throw refuseField('endpoint_id', 'parameter_invalid', 'is no endpoint of this account that is switched on');
      const dates = { created_from: dateOrNull(created_from), created_to: dateOrNull(created_to) };
      return inPieces(cursor, (after, room) => replayRange(tx, { endpoint_id, state, ...dates, after, room }));
    },
    answer: async (replayed) => {
      tools.wake_up.wake();
      return answerOf(rangeOf(replayed));
    },
    keep: rangeOf,
    again: async (_, kept) => answerOf(kept ?? rangeOf({ count: 0, last: null })),
  });
}

/** The oldest MOST behind a cursor. */
async function inPieces(
  cursor: string | null,
  replay: (after: string | null, room: number) => Promise<Replayed>,
): Promise<Replayed> {
  let [count, last] = [0, cursor];
  while (count < MOST) {
    const piece = await replay(last, AT_ONCE);
    count += piece.count;
    last = piece.last ?? last;
    if (piece.count < AT_ONCE) break;
  }
  return { count, last };
}

function answerOf(range: Kept): Answer {
  return { body: { result: result('request_completed'), ...range } };
}

export function rangeOf({ count, last }: Replayed) {
  const has_more = count === MOST;
  return { replayed: count, has_more, next_cursor: has_more ? last : null };
}
