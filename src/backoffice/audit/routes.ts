// The audit of an account: listed, checked, and downloaded.
import type { Answer } from '../../kit/http/route.ts';
import { Readable } from 'node:stream';
import { oneOf, text, textOfForm } from '../../core/fields.ts';
import { withTransaction } from '../../kit/database.ts';
import { AUDIT_ACTIONS, DEPLOYMENT, verifyChain, writeAudit } from './audit.ts';
import { type RecordRow, findChain, findRecords } from './store.ts';
import { type BackofficeRequest, type BackofficeContext, type BackofficeRoute, backofficeRoute } from '../context.ts';
import { csvLine } from '../../kit/sheet/csv.ts';
import { fileHeaders } from '../file.ts';
import type { AuditFilters, AuditPage, AuditRecord, AuditVerdict } from '../wire/audit.ts';

const PAGE = 50;
const FORMAT = { format: oneOf('csv', 'jsonl') };

export function auditRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'audit' } as const;
  return [
    backofficeRoute(context, {
      ...of,
      route: 'GET /audit',
      query: { action: text(60), actor: text(254), object: text(254), cursor: textOfForm(/^\d{1,15}$/, 'one of ours') },
      handle: ({ db, query }) => readPage(db, query),
    }),
    backofficeRoute(context, { ...of, route: 'GET /audit/verify', handle: (asked) => verify(context, asked) }),
    backofficeRoute(context, {
      ...of,
      route: 'GET /audit/export',
      query: FORMAT,
      handle: (asked) => exportAudit(context, asked, asked.query.format ?? 'csv'),
    }),
  ];
}

async function readPage(
  db: BackofficeRequest['db'],
  { action, actor, object, cursor }: AuditFilters,
): Promise<AuditPage> {
  const filters = { action: action ?? null, actor: actor ?? null, object: object ?? null };
  const before = cursor === undefined ? null : BigInt(cursor);
  const found = await findRecords(db, { filters, before, room: PAGE + 1 });
  const records = found.slice(0, PAGE).map(viewRecord);
  const next_cursor = found.length > PAGE ? String(records.at(-1)?.seq ?? 0) : null;
  return { records, next_cursor, actions: AUDIT_ACTIONS };
}

function viewRecord(row: Omit<RecordRow, 'text'>): AuditRecord {
  const { actor, action, object, result, source, reason, detail, hash } = row;
  return {
    seq: Number(row.seq),
    at: row.at.toISOString(),
    actor,
    action,
    object,
    result,
    source,
    reason,
    detail,
    hash,
  };
}

/** A breach is a record of its own, in the chain of the deployment: the broken one proves nothing any more. */
async function verify(
  { tools }: BackofficeContext,
  { account_id, principal, client_ip }: BackofficeRequest,
): Promise<AuditVerdict> {
  const verdict = await verifyChain(tools.db, account_id);
  if (verdict.whole) return verdict;
  const at = Number(verdict.at);
  await withTransaction(tools.db, DEPLOYMENT, (tx) =>
    writeAudit(
      tx,
      { actor: principal.person.email, source: client_ip },
      { action: 'audit gap found', object: account_id, result: 'failed', detail: { at, why: verdict.why } },
    ),
  );
  return { whole: false, at, why: verdict.why };
}

const COLUMNS = ['seq', 'at', 'actor', 'action', 'object', 'result', 'source', 'reason', 'detail', 'hash'] as const;

async function exportAudit(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  format: 'csv' | 'jsonl',
): Promise<Answer> {
  const record = (action: 'export started' | 'export finished', count?: number) =>
    withTransaction(tools.db, asked.account_id, (tx) =>
      asked.record(tx, { action, object: 'audit', detail: { format, ...(count !== undefined && { records: count }) } }),
    );
  await record('export started');
  const lines = async function* () {
    let count = 0;
    if (format === 'csv') yield csvLine(COLUMNS);
    for (let after = 0n; ;) {
      const rows = await findChain(asked.db, after);
      for (const row of rows) {
        const view = viewRecord(row);
        yield format === 'csv' ? csvLine(COLUMNS.map((name) => view[name])) : `${JSON.stringify(view)}\n`;
      }
      count += rows.length;
      const last = rows.at(-1);
      if (!last) break;
      after = last.seq;
    }
    await record('export finished', count);
  };
  return { body: {}, file: Readable.from(lines()), headers: fileHeaders('audit', format) };
}
