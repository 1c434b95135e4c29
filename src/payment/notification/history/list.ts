// GET /notification: what was sent, and where, newest first (contract 13.4).
import { cursorId, datetime, id24, int, oneOf } from '../../../core/fields.ts';
import { result } from '../../../core/results.ts';
import type { Read, Shape } from '../../../core/shape.ts';
import type { Answer } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import { type Around, bodyOf } from '../body.ts';
import { EVENTS } from '../events.ts';
import { type NotificationRow, findNotifications } from './store.ts';

export const NOTIFICATION_QUERY = {
  endpoint_id: id24,
  order_id: id24,
  event: oneOf('test', ...EVENTS),
  state: oneOf('waiting', 'delivered', 'parked'),
  created_from: datetime,
  created_to: datetime,
  limit: int(1, 100),
  cursor: cursorId,
} as const satisfies Shape;

const PAGE = 25;

type Query = Read<typeof NOTIFICATION_QUERY>;

export async function listNotifications(tools: Tools, { merchant_account_id }: Account, query: Query): Promise<Answer> {
  const page = await notificationPage(tools, merchant_account_id, query);
  return { body: { result: result('request_completed'), ...page } };
}

export async function notificationPage(tools: Tools, merchant_account_id: string, query: Query) {
  const { cursor = null, limit = PAGE, endpoint_id = null, order_id = null, event = null, state = null } = query;
  const found = await findNotifications(tools.db.reading(merchant_account_id), {
    filters: {
      endpoint_id,
      order_id,
      event,
      state,
      created_from: dateOrNull(query.created_from),
      created_to: dateOrNull(query.created_to),
    },
    before: cursor,
    room: limit + 1,
  });
  const page = found.slice(0, limit);
  const has_more = found.length > limit;
  return {
    notifications: page.map((row) => view(row, tools)),
    has_more,
    next_cursor: has_more ? (page.at(-1)?.id ?? null) : null,
  };
}

export const dateOrNull = (value: string | undefined): Date | null => (value === undefined ? null : new Date(value));

function view(row: NotificationRow, around: Around) {
  const body: unknown = JSON.parse(row.body ?? bodyOf(row, around));
  return {
    _id: row.id,
    endpoint_id: row.endpoint_id,
    event: row.event,
    order_id: row.order_id ?? '',
    sequence: row.sequence,
    state: row.state,
    tries: row.tries,
    last_http_status: row.last_status,
    last_error: row.last_error,
    next_try_date: row.state === 'waiting' ? row.due_at.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    body,
  };
}
