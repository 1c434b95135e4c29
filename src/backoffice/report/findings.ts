// Findings of florin reconcile: where our books and a provider's differ, and a person who says what it is.
import { bool, oneOf, textOfForm } from '../../core/fields.ts';
import { HIGHEST_ID, isId } from '../../core/ids.ts';
import { toCount } from '../../core/money.ts';
import { Refusal } from '../../core/refusals.ts';
import { required } from '../../core/shape.ts';
import { withTransaction } from '../../kit/database.ts';
import {
  type FindingState,
  type ListedFinding,
  findFinding,
  listFindings,
  settleFindings,
} from '../../payment/ledger/reconcile/finding-store.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import type { FindingPage, FindingRow, SettleForm } from '../wire/reports.ts';
import type { Done } from '../wire.ts';

const PAGE = 50;
const MARK = textOfForm(/^\d{1,9} [0-9T:.Z-]{24}$/, 'as the list of findings gives it');
const STATES: readonly FindingState[] = ['open', 'resolved', 'settled'];

export function findingRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /findings',
      right: 'read',
      query: { show: oneOf('open', 'resolved', 'settled', 'all'), cursor: textOfForm(/^[0-9a-f]{24}$/, 'one of ours') },
      handle: ({ db, query }) => list(db, query),
    }),
    backofficeRoute(context, {
      route: 'POST /findings/:id/settle',
      right: 'rule',
      body: { reason: REASON, mark: required(MARK), all: bool },
      handle: (asked) => settle(context, asked, asked.body),
    }),
  ];
}

type Listing = { readonly show?: FindingState | 'all'; readonly cursor?: string };

async function list(db: BackofficeRequest['db'], { show = 'open', cursor }: Listing): Promise<FindingPage> {
  const states = show === 'all' ? STATES : [show];
  const found = await listFindings(db, { states, before: cursor ?? HIGHEST_ID, room: PAGE + 1 });
  const rows = found.slice(0, PAGE);
  return { findings: rows.map(viewOf), next_cursor: found.length > PAGE ? (rows.at(-1)?.id ?? null) : null };
}

function viewOf(row: ListedFinding): FindingRow {
  const {
    merchant_account_id: _,
    operation_id: __,
    by_name,
    of_source,
    of_source_seen_at,
    found_at,
    seen_at,
    ended_at,
    ...rest
  } = row;
  return {
    ...rest,
    amount_minor: toCount(row.amount_minor),
    of_source: toCount(of_source),
    mark: markOf(1, seen_at),
    of_source_mark: of_source_seen_at && markOf(toCount(of_source), of_source_seen_at),
    found_at: found_at.toISOString(),
    seen_at: seen_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    by: by_name,
  };
}

/** Open findings as they stand: another run that shows one of them, or one more, changes it. */
function markOf(count: number, seen_at: Date): string {
  return `${count} ${seen_at.toISOString()}`;
}

async function settle(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  { reason, mark, all = false }: SettleForm,
): Promise<Done> {
  const id = asked.params['id'] ?? '';
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    const finding = isId(id) ? await findFinding(tx, id) : undefined;
    if (!finding) throw unknown('finding');
    const of = all ? { source: finding.source } : { id };
    const settled = await settleFindings(tx, { of, note: reason, by_name: asked.principal.person.name });
    const newest = settled.toSorted((a, b) => b.getTime() - a.getTime())[0];
    if (!newest) throw unknown('open finding');
    // the person said what those are that were shown, and of no other
    if (mark !== markOf(settled.length, newest))
      throw new Refusal('change_conflict', {
        detail: all
          ? 'the open findings of this file have changed: look at them again'
          : 'the finding has changed: look at it again',
      });
    const { source, order_id, kind, what } = finding;
    await asked.record(tx, {
      action: 'finding settled',
      object: all ? source : order_id,
      reason,
      detail: all ? { findings: settled.length, source } : { finding_id: id, kind, what, source },
    });
  });
  return { done: true };
}
