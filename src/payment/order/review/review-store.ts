// Statements of the review: what nothing has proved, what is known of it, and what people said.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';

export type UndecidedRow = {
  readonly id: string;
  readonly order_id: string;
  readonly merchant_account_id: string;
  readonly transaction_id: string;
  readonly provider: string;
  readonly kind: string;
  readonly state: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly age_s: number;
  /** Seconds until the next look. */
  readonly next_s: number;
  readonly tries: number;
  /** For a contradiction: our final state, and what the provider said. Null otherwise. */
  readonly held: string | null;
  readonly said: string | null;
};

/** Operations in doubt, in review and contradicted, the oldest first. */
export async function findUndecided(db: Runner, room: number): Promise<readonly UndecidedRow[]> {
  return db.run<UndecidedRow>(
    'find_undecided',
    `-- any account: what waits for a proof, of all of them
     SELECT
       id, order_id, merchant_account_id, transaction_id, provider, kind, state, amount_minor,
       currency, tries, held, said, extract(epoch FROM payment.now() - created_at)::float8 AS age_s,
       extract(epoch FROM due_at - payment.now())::float8 AS next_s
     FROM payment.undecided(:room)`,
    { room },
  );
}

/**
 * The order of an operation that is known by its id alone, and whose it is. Finds what is open, was booked or was ruled
 * on.
 */
export async function findWhere(
  db: Runner,
  operation_id: string,
): Promise<{ order_id: string; merchant_account_id: string } | undefined> {
  const rows = await db.run<{ order_id: string; merchant_account_id: string }>(
    'find_operation_place',
    `-- any account: the id says which one it is
     SELECT order_id, merchant_account_id FROM payment.whose_operation(:operation_id)`,
    { operation_id: bytes(operation_id) },
  );
  return rows[0];
}

export type Sight = {
  readonly operation_id: string;
  readonly source: string;
  readonly outcome: string;
  readonly provider_code: string | null;
  readonly why: string | null;
  readonly age_s: number;
};

/** The last things that were seen of operations of one account, the newest first of each. */
export async function findLastSights(
  db: TenantRunner,
  { operations, room }: { operations: readonly { id: string; transaction_id: string }[]; room: number },
): Promise<readonly Sight[]> {
  return db.run<Sight>(
    'find_last_sights',
    `SELECT
       y.operation_id, b.source, b.outcome, b.provider_code, b.detail ->> 'why' AS why,
       extract(epoch FROM payment.now() - b.at)::float8 AS age_s
     FROM unnest(:operation_ids::bytea[], :transaction_ids::bytea[]) WITH ORDINALITY
       AS y (operation_id, transaction_id, n)
     CROSS JOIN LATERAL (
       SELECT *
       FROM payment.observations v
       WHERE v.transaction_id = y.transaction_id
         AND v.operation_id = y.operation_id
         AND v.merchant_account_id = :merchant_account_id
       ORDER BY v.id DESC
       LIMIT :room
     ) b
     ORDER BY y.n, b.id DESC`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      operation_ids: operations.map(({ id }) => bytes(id)),
      transaction_ids: operations.map(({ transaction_id }) => bytes(transaction_id)),
      room,
    },
  );
}

export type ResolutionRow = {
  readonly ruling: 'done' | 'not-done';
  readonly reason: string;
  readonly provider_ref: string | null;
  readonly by_name: string;
  /** The person, if they proved who they are; null: only a name was given. */
  readonly person_id: string | null;
  readonly at: Date;
};

/**
 * The last words of people on an operation, one row for each person, the oldest first. Names are compared without case.
 */
export async function findResolutions(db: TenantRunner, operation_id: string): Promise<readonly ResolutionRow[]> {
  return db.run<ResolutionRow>(
    'find_rulings',
    `SELECT ruling, reason, provider_ref, by_name, person_id, at
     FROM (
       SELECT DISTINCT ON (coalesce(encode(person_id, 'hex'), lower(by_name))) *
       FROM payment.rulings
       WHERE operation_id = :operation_id
         AND merchant_account_id = :merchant_account_id
       ORDER BY coalesce(encode(person_id, 'hex'), lower(by_name)), id DESC
     ) last
     ORDER BY id`,
    { merchant_account_id: bytes(db.merchant_account_id), operation_id: bytes(operation_id) },
  );
}

export async function insertResolution(
  db: TenantRunner,
  ruling: Omit<ResolutionRow, 'at'> & { readonly order_id: string; readonly operation_id: string },
): Promise<void> {
  await db.run(
    'insert_ruling',
    `INSERT INTO payment.rulings (
       merchant_account_id, order_id, operation_id, ruling, reason, provider_ref, by_name,
       person_id)
     VALUES (
       :merchant_account_id, :order_id, :operation_id, :ruling, :reason, :provider_ref, :by_name,
       :person_id)`,
    {
      ...ruling,
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(ruling.order_id),
      operation_id: bytes(ruling.operation_id),
      person_id: bytes(ruling.person_id),
    },
  );
}
