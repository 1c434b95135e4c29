// Statements on findings: the differences that runs of florin reconcile have kept.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import type { Difference } from './compare.ts';
import type { KeptDifference } from './keep.ts';

export type FindingState = 'open' | 'resolved' | 'settled';

export type OpenFinding = Pick<
  Difference,
  'kind' | 'what' | 'reference' | 'provider' | 'merchant_account_id' | 'order_id' | 'operation_id' | 'theirs'
> & {
  readonly id: string;
  /** The end of the time that the books cover which showed the finding; null: they did not say. */
  readonly books_to: Date | null;
};

export type FindingRow = Omit<OpenFinding, 'books_to'> &
  Pick<Difference, 'ours' | 'currency'> & {
    readonly amount_minor: bigint;
    readonly source: string;
    readonly became: string;
    readonly state: FindingState;
    readonly found_at: Date;
    readonly seen_at: Date;
    readonly ended_at: Date | null;
    readonly resolved_by: string | null;
    readonly note: string | null;
    readonly by_name: string | null;
  };

/**
 * New ones are open. One that was resolved is open again; one that a person has settled stays settled as long as it
 * says the same. How many are open now. In one order: two runs at once wait for each other's findings in no circle.
 */
export async function keepFindings(
  db: TenantRunner,
  { source, books_to }: Pick<FindingRow, 'source'> & Pick<OpenFinding, 'books_to'>,
  kept: readonly KeptDifference[],
): Promise<number> {
  const list = <T>(of: (one: KeptDifference) => T) => kept.map(of);
  const rows = await db.run<{ state: FindingState }>(
    'keep_findings',
    `INSERT INTO payment.reconcile_findings AS f (
       id, merchant_account_id, provider, kind, what, reference, order_id, operation_id, ours,
       theirs, amount_minor, currency, source, books_to, became, state, ended_at, resolved_by)
     SELECT
       payment.new_id(payment.now(), n::int), :merchant_account_id, provider, kind, what, reference,
       order_id, operation_id, ours, theirs, amount_minor, currency, :source, :books_to, became,
       CASE WHEN applied THEN 'resolved' ELSE 'open' END,
       CASE WHEN applied THEN payment.now() END,
       CASE WHEN applied THEN :source END
     FROM unnest(
       :providers::text[], :kinds::text[], :whats::text[], :references::bytea[],
       :order_ids::bytea[], :operation_ids::bytea[], :ours::text[], :theirs::text[],
       :amounts::bigint[], :currencies::text[], :became::text[], :applied::boolean[])
       WITH ORDINALITY AS found (
         provider, kind, what, reference, order_id, operation_id, ours, theirs, amount_minor,
         currency, became, applied, n)
     ORDER BY provider, kind, what, reference, order_id
     ON CONFLICT (merchant_account_id, provider, kind, what, reference, order_id) DO UPDATE
     SET
       (ours, theirs, operation_id, amount_minor, currency, source, books_to, became, seen_at) = (
         excluded.ours, excluded.theirs, excluded.operation_id, excluded.amount_minor,
         excluded.currency, excluded.source, greatest(f.books_to, excluded.books_to),
         excluded.became, payment.now()),
       (state, ended_at, resolved_by) = (
         SELECT CASE WHEN stays THEN f.state ELSE excluded.state END,
           CASE WHEN stays THEN f.ended_at ELSE excluded.ended_at END,
           CASE WHEN stays THEN f.resolved_by ELSE excluded.resolved_by END
         FROM (
           VALUES (f.state = 'settled' AND (f.ours, f.theirs) = (excluded.ours, excluded.theirs))
         ) AS settled (stays)
       )
     RETURNING state`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      source,
      books_to,
      providers: list(({ provider }) => provider),
      kinds: list(({ kind }) => kind),
      whats: list(({ what }) => what),
      references: list(({ reference }) => bytes(reference)),
      order_ids: list(({ order_id }) => bytes(order_id)),
      operation_ids: list(({ operation_id }) => (operation_id === null ? null : bytes(operation_id))),
      ours: list(({ ours }) => ours),
      theirs: list(({ theirs }) => theirs),
      amounts: list(({ apart_minor }) => apart_minor),
      currencies: list(({ currency }) => currency),
      became: list(({ became }) => became),
      applied: list(({ applied }) => applied),
    },
  );
  return rows.filter(({ state }) => state === 'open').length;
}

type After = { readonly after: string; readonly room: number };

/** Open ones with ids after one, in the order of their ids. */
export async function findOpenFindingsAfter(db: TenantRunner, { after, room }: After): Promise<readonly OpenFinding[]> {
  return db.run<OpenFinding>(
    'find_open_findings_after',
    `SELECT
       id, merchant_account_id, provider, kind, what, reference, order_id, operation_id, theirs,
       books_to
     FROM payment.reconcile_findings
     WHERE merchant_account_id = :merchant_account_id
       AND state = 'open'
       AND id > :after
     ORDER BY id
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), after: bytes(after), room },
  );
}

/** How many were open until then. */
export async function resolveFindings(
  db: TenantRunner,
  { ids, resolved_by }: { readonly ids: readonly string[]; readonly resolved_by: string },
): Promise<number> {
  const rows = await db.run(
    'resolve_findings',
    `UPDATE payment.reconcile_findings
     SET state = 'resolved', ended_at = payment.now(), resolved_by = :resolved_by
     WHERE merchant_account_id = :merchant_account_id
       AND id = ANY (:ids::bytea[])
       AND state = 'open'
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), ids: ids.map((id) => bytes(id)), resolved_by },
  );
  return rows.length;
}

/** A finding as the back office lists it. */
export type ListedFinding = FindingRow & {
  /** Null: there is no such order here. */
  readonly order_merchant_id: string | null;
  /** How many are open of the same file. */
  readonly of_source: bigint;
  /** When a run has last shown one of these; null: none is open. */
  readonly of_source_seen_at: Date | null;
};

export type Listing = { readonly states: readonly FindingState[]; readonly before: string; readonly room: number };

/** The newest first. */
export async function listFindings(
  db: TenantRunner,
  { states, before, room }: Listing,
): Promise<readonly ListedFinding[]> {
  return db.run<ListedFinding>(
    'list_findings',
    `SELECT
       f.id, f.merchant_account_id, f.provider, f.kind, f.what, f.reference, f.order_id,
       f.operation_id, f.ours, f.theirs, f.amount_minor, f.currency, f.source, f.became, f.state,
       f.found_at, f.seen_at, f.ended_at, f.resolved_by, f.note, f.by_name, o.order_merchant_id,
       same.of_source, same.of_source_seen_at
     FROM (
       SELECT *
       FROM payment.reconcile_findings x
       WHERE x.merchant_account_id = :merchant_account_id
         AND x.state = ANY (:states)
         AND x.id < :before
       ORDER BY x.id DESC
       LIMIT :room
     ) f
     CROSS JOIN LATERAL (
       SELECT count(*) AS of_source, max(s.seen_at) AS of_source_seen_at
       FROM payment.reconcile_findings s
       WHERE s.merchant_account_id = :merchant_account_id
         AND s.state = 'open'
         AND s.source = f.source
     ) same
     LEFT JOIN payment.orders o
       ON o.id = f.order_id
       AND o.merchant_account_id = :merchant_account_id
     ORDER BY f.id DESC`,
    { merchant_account_id: bytes(db.merchant_account_id), states, before: bytes(before), room },
  );
}

export async function findFinding(
  db: TenantRunner,
  id: string,
): Promise<Pick<FindingRow, 'source' | 'order_id' | 'kind' | 'what'> | undefined> {
  const rows = await db.run<Pick<FindingRow, 'source' | 'order_id' | 'kind' | 'what'>>(
    'find_finding',
    `SELECT source, order_id, kind, what
     FROM payment.reconcile_findings
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

export type FindingSum = {
  readonly currency: string;
  readonly findings: bigint;
  readonly amount_minor: bigint;
  readonly oldest_at: Date;
};

export async function sumOpenFindings(db: TenantRunner): Promise<readonly FindingSum[]> {
  return db.run<FindingSum>(
    'sum_open_findings',
    `SELECT currency, count(*) AS findings, sum(amount_minor)::bigint AS amount_minor,
       min(found_at) AS oldest_at
     FROM payment.reconcile_findings
     WHERE merchant_account_id = :merchant_account_id
       AND state = 'open'
     GROUP BY currency
     ORDER BY currency`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

type Settling = {
  /** One finding, or all findings of a file. */
  readonly of: { readonly id: string } | { readonly source: string };
  readonly note: string;
  readonly by_name: string;
};

/** When each of those that were open until then was last shown. */
export async function settleFindings(db: TenantRunner, { of, note, by_name }: Settling): Promise<readonly Date[]> {
  const rows = await db.run<{ seen_at: Date }>(
    'settle_findings',
    `UPDATE payment.reconcile_findings
     SET state = 'settled', ended_at = payment.now(), note = :note, by_name = :by_name
     WHERE merchant_account_id = :merchant_account_id
       AND (id = :id OR source = :source)
       AND state = 'open'
     RETURNING seen_at`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      id: 'id' in of ? bytes(of.id) : null,
      source: 'source' in of ? of.source : null,
      note,
      by_name,
    },
  );
  return rows.map(({ seen_at }) => seen_at);
}
