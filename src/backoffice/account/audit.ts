// The audit, as it is looked at, checked and taken out.
import type { Answer } from '../../kit/http/route.ts';
import { Readable } from 'node:stream';
import { oneOf, text, textOfForm } from '../../core/fields.ts';
import { together } from '../../kit/database.ts';
import { AUDIT_ACTIONS, DEPLOYMENT, verifyChain, writeAudit } from '../audit/audit.ts';
import { type RecordRow, findChain, findRecords } from '../audit/store.ts';
import { type Asked, type Desk, type DeskRoute, deskRoute } from '../desk.ts';
import { csvLine, fileHeaders } from '../file.ts';
import type { AuditPage, AuditRecord, AuditVerdict } from '../wire/session.ts';

const PAGE = 50;
const FORMAT = { format: oneOf('csv', 'jsonl') };

export function auditRoutes(desk: Desk): readonly DeskRoute[] {
  const of = { right: 'audit' } as const;
  return [
    deskRoute(desk, {
      ...of,
      route: 'GET /audit',
      query: { action: text(60), actor: text(254), object: text(254), cursor: textOfForm(/^\d{1,15}$/, 'one of ours') },
      handle: ({ db, query }) => readPage(db, query),
    }),
    deskRoute(desk, { ...of, route: 'GET /audit/verify', handle: (asked) => verify(desk, asked) }),
    deskRoute(desk, {
      ...of,
      route: 'GET /audit/export',
      query: FORMAT,
      handle: (asked) => exportAudit(desk, asked, asked.query.format ?? 'csv'),
    }),
  ];
}

type Filters = {
  readonly action?: string;
  readonly actor?: string;
  readonly object?: string;
  readonly cursor?: string;
};

async function readPage(db: Asked['db'], { action, actor, object, cursor }: Filters): Promise<AuditPage> {
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
async function verify({ tools }: Desk, { account_id, visitor, client_ip }: Asked): Promise<AuditVerdict> {
  const verdict = await verifyChain(tools.db, account_id);
  if (verdict.whole) return verdict;
  const at = Number(verdict.at);
  await together(tools.db, DEPLOYMENT, (tx) =>
    writeAudit(
      tx,
      { actor: visitor.person.email, source: client_ip },
      { action: 'audit gap found', object: account_id, result: 'failed', detail: { at, why: verdict.why } },
    ),
  );
  return { whole: false, at, why: verdict.why };
}

const COLUMNS = ['seq', 'at', 'actor', 'action', 'object', 'result', 'source', 'reason', 'detail', 'hash'] as const;

async function exportAudit({ tools }: Desk, asked: Asked, format: 'csv' | 'jsonl'): Promise<Answer> {
  const record = (action: 'export started' | 'export finished', count?: number) =>
    together(tools.db, asked.account_id, (tx) =>
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
