// The lists that block or allow: read, added to, taken from. They hold at once.
import { datetime, id24, oneOf, text, withoutCard } from '../../core/fields.ts';
import { refuseField } from '../../core/refusals.ts';
import { LIST_KINDS } from '../../core/risk/rules.ts';
import { required } from '../../core/shape.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { isListKind, listEntries, putListEntry, removeListEntry } from '../../payment/risk/lists.ts';
import type { Tools } from '../../payment/tools.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import type { ListEntries, ListEntryForm } from '../wire/rules/risk.ts';

/** Entries of one page. */
const PAGE = 500;

export function listRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'risk' } as const;
  return [
    backofficeRoute(context, {
      route: 'GET /risk/lists',
      right: 'read',
      query: { cursor: id24 },
      handle: ({ account_id, query }) => readLists(context.tools, account_id, query.cursor),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /risk/lists',
      body: {
        list: required(oneOf('block', 'allow')),
        subject: required(text(40)),
        value: required(withoutCard(text(255))),
        note: withoutCard(text(200)),
        until: datetime,
        reason: REASON,
      },
      handle: (asked) => put(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'DELETE /risk/lists/:id',
      body: { reason: REASON },
      handle: (asked) => remove(context, asked, asked.body.reason),
    }),
  ];
}

async function readLists(tools: Tools, account_id: string, cursor?: string): Promise<ListEntries> {
  const rows = await listEntries(tools, account_id, { before: cursor ?? null, room: PAGE + 1 });
  const entries = rows.slice(0, PAGE).map(({ id, kind, verdict, shown, note, by_name, at, until }) => ({
    id,
    list: verdict,
    subject: kind,
    shown,
    note,
    created_at: at.toISOString(),
    created_by: by_name,
    until: until?.toISOString() ?? null,
  }));
  const next_cursor = rows.length > PAGE ? (entries.at(-1)?.id ?? null) : null;
  return { entries, next_cursor, subjects: LIST_KINDS };
}

async function put(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { list, subject, value, note, until, reason }: ListEntryForm,
): Promise<ListEntries> {
  if (!isListKind(subject))
    throw refuseField('subject', 'parameter_invalid', `must be one of ${LIST_KINDS.join(', ')}`);
  const by = asked.principal.person.email;
  await putListEntry(context.tools, asked.account_id, {
    verdict: list,
    kind: subject,
    value,
    by,
    note,
    until: until === undefined ? undefined : new Date(until),
    also: (tx, object) => asked.record(tx, { action: 'risk list changed', object, reason, detail: { list, subject } }),
  });
  return readLists(context.tools, asked.account_id);
}

async function remove(context: BackofficeContext, asked: BackofficeRequest, reason: string): Promise<ListEntries> {
  const id = asked.params['id'] ?? '';
  const also = (tx: TenantRunner) =>
    asked.record(tx, { action: 'risk list changed', object: id, reason, detail: { removed: true } });
  if (!(await removeListEntry(context.tools, asked.account_id, { id, also }))) throw unknown('entry');
  return readLists(context.tools, asked.account_id);
}
