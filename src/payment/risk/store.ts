// Statements on risk rules, lists and what was counted.
import { type ListKind, MAX_WINDOW_DAYS } from '../../core/risk/rules.ts';
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';

export type EntryRow = {
  readonly id: string;
  readonly kind: ListKind;
  readonly verdict: 'block' | 'allow';
  /** The value, its personal part hidden. */
  readonly shown: string;
  readonly note: string | null;
  readonly by_name: string;
  readonly at: Date;
  readonly until: Date | null;
};

/** An entry as it is stored: what is shown of a card is sealed, as hex, and `shown` is empty. */
export type SealedEntryRow = EntryRow & { readonly shown_sealed: string | null };

/** Stores an entry. One value has one entry: the newest holds. */
export async function putEntry(
  db: Runner,
  merchant_account_id: string,
  entry: Omit<EntryRow, 'at'> & { readonly subject: string; readonly shown_sealed: Buffer | null },
): Promise<void> {
  await db.run(
    'put_risk_entry',
    `INSERT INTO payment.risk_entries (
       merchant_account_id, subject, id, kind, verdict, shown, shown_sealed, note,
       by_name, until)
     VALUES (
       :merchant_account_id, :subject, :id, :kind, :verdict, :shown, :shown_sealed, :note,
       :by_name, :until)
     ON CONFLICT (merchant_account_id, subject) DO UPDATE SET
       id = excluded.id,
       kind = excluded.kind,
       verdict = excluded.verdict,
       shown = excluded.shown,
       shown_sealed = excluded.shown_sealed,
       note = excluded.note,
       by_name = excluded.by_name,
       at = payment.now(),
       until = excluded.until`,
    {
      ...entry,
      merchant_account_id: bytes(merchant_account_id),
      subject: bytes(entry.subject),
      id: bytes(entry.id),
    },
  );
}

export async function deleteEntry(db: Runner, merchant_account_id: string, id: string): Promise<boolean> {
  const rows = await db.run(
    'delete_risk_entry',
    `DELETE FROM payment.risk_entries
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
     RETURNING 1`,
    { merchant_account_id: bytes(merchant_account_id), id: bytes(id) },
  );
  return rows.length > 0;
}

/** Kinds that stand on the lists now. */
export async function findKinds(db: Runner, merchant_account_id: string): Promise<readonly ListKind[]> {
  const rows = await db.run<{ kind: ListKind }>(
    'find_risk_entry_kinds',
    `SELECT DISTINCT kind
     FROM payment.risk_entries
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY kind`,
    { merchant_account_id: bytes(merchant_account_id) },
  );
  return rows.map(({ kind }) => kind);
}

/** Newest first, older than `before`. */
export async function findEntries(
  db: TenantRunner,
  { before, room }: { readonly before: string | null; readonly room: number },
): Promise<readonly SealedEntryRow[]> {
  return db.run<SealedEntryRow>(
    'find_risk_entries',
    `SELECT id, kind, verdict, shown, shown_sealed, note, by_name, at, until
     FROM payment.risk_entries
     WHERE merchant_account_id = :merchant_account_id
       AND (:before::bytea IS NULL OR id < :before)
     ORDER BY id DESC
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), before: bytes(before), room },
  );
}

/** Which of these values stand on a list. */
export async function findListed(
  db: TenantRunner,
  subjects: readonly string[],
): Promise<readonly { readonly subject: string; readonly verdict: 'block' | 'allow' }[]> {
  return db.run<{ subject: string; verdict: 'block' | 'allow' }>(
    'find_risk_listed',
    `SELECT subject, verdict
     FROM payment.risk_entries
     WHERE merchant_account_id = :merchant_account_id
       AND subject = ANY (:subjects)
       AND (until IS NULL OR until > payment.now())`,
    { merchant_account_id: bytes(db.merchant_account_id), subjects: subjects.map((one) => bytes(one)) },
  );
}

export type AttemptRow = {
  readonly order_id: string;
  readonly at: Date;
  readonly body: Readonly<Record<string, unknown>>;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly card_digest: string | null;
  readonly first6: string | null;
  readonly is_last: boolean;
  /** The order holds or held money, or is not decided. */
  readonly holds: boolean;
  readonly paid: boolean;
  readonly was_refused: boolean;
};

/** Attempts of orders made since a moment, order by order; fallbacks inside an attempt are none of their own. */
export async function findAttempts(
  db: TenantRunner,
  { after, room }: { readonly after: string; readonly room: number },
): Promise<readonly AttemptRow[]> {
  return db.run<AttemptRow>(
    'find_risk_attempts',
    `SELECT
       o.id AS order_id, t.created_at AS at, coalesce(c.body::jsonb, '{}') || o.body::jsonb AS body,
       o.amount_minor, o.currency, t.card_digest, t.first6,
       NOT EXISTS (
         SELECT 1
         FROM payment.transactions l
         WHERE l.order_id = o.id
           AND l.merchant_account_id = :merchant_account_id
           AND l.attempt > t.attempt
           AND l.cascade_of IS NULL
       ) AS is_last,
       o.live OR o.winner_id IS NOT NULL AS holds, o.winner_id IS NOT NULL AS paid,
       coalesce(t.risk -> 'assessed' ->> 'code' LIKE '131%', false) AS was_refused
     FROM (
       SELECT *
       FROM payment.orders x
       WHERE x.merchant_account_id = :merchant_account_id
         AND x.id > :after
       ORDER BY x.id
       LIMIT :room
     ) o
     JOIN payment.transactions t
       ON t.order_id = o.id
       AND t.merchant_account_id = :merchant_account_id
       AND t.cascade_of IS NULL
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     ORDER BY o.id, t.attempt`,
    { merchant_account_id: bytes(db.merchant_account_id), after: bytes(after), room },
  );
}

/** Deletes what no rule looks at any more; answers how many rows. */
export async function forgetSightings(db: Runner, room: number): Promise<number> {
  const rows = await db.run<{ gone: bigint }>(
    'forget_sightings',
    `-- any account: retention is the same for all
     SELECT payment.forget_sightings(:room, make_interval(days => :keep_days)) AS gone`,
    { room, keep_days: MAX_WINDOW_DAYS + 1 },
  );
  return Number(rows[0]?.gone ?? 0);
}
