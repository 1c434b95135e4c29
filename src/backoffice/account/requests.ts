// The request log, for developers of the account; and in a sandbox what the check says about it.
import { findingsOf } from '../../payment/integration/rules.ts';
import { seenOf } from '../../payment/integration/seen.ts';
import { listKeys } from '../../payment/merchant/store.ts';
import { LOG_QUERY, type LogQuery, STATUS_WORDS, logPage } from '../../payment/request-log/list.ts';
import { type BackofficeContext, type BackofficeRequest, type BackofficeRoute, backofficeRoute } from '../context.ts';
import type { CheckAnswer, RequestPage } from '../wire/requests.ts';

export function requestRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'requests' } as const;
  const list = backofficeRoute(context, {
    ...of,
    route: 'GET /requests',
    query: LOG_QUERY,
    handle: (asked) => readRequests(context, asked, asked.query),
  });
  const check = backofficeRoute(context, {
    ...of,
    route: 'GET /requests/check',
    handle: (asked) => checkRequests(context, asked),
  });
  return context.tools.environment === 'production' ? [list] : [list, check];
}

async function readRequests(
  { tools }: BackofficeContext,
  { db }: BackofficeRequest,
  query: LogQuery,
): Promise<RequestPage> {
  const [page, keys] = await Promise.all([logPage(db, query, tools.clock.shift_ms()), listKeys(db)]);
  return {
    requests: page.rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })),
    next_cursor: page.next_cursor,
    keys: keys.map(({ id, label }) => ({ id, label })),
    statuses: STATUS_WORDS,
  };
}

async function checkRequests({ tools }: BackofficeContext, { db }: BackofficeRequest): Promise<CheckAnswer> {
  const seen = await seenOf(db, tools.outside.clock.now());
  const findings = findingsOf(seen).map((finding) => ({
    ...finding,
    guide: tools.addresses.base_url + finding.guide,
  }));
  return { looked_at: seen.requests.length + seen.notifications.length, findings };
}
