// Statements for what the back office shows of one order and of what is in doubt.
import { type TenantRunner, bytes } from '../../kit/database.ts';
import { doubtInQueue } from '../../payment/order/in-doubt.ts';

export type InDoubtRow = {
  readonly id: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly provider: string;
  readonly kind: string;
  /** `reversing`: a reversal that no call has reached its provider with yet. */
  readonly state: 'in_doubt' | 'reversing' | 'review' | 'contradicted';
  readonly amount_minor: bigint;
  readonly currency: string;
  /** For a contradiction: when the provider said it. */
  readonly created_at: Date;
  readonly due_at: Date;
  readonly tries: number;
  /** For a contradiction: our final state, and what the provider said. Null otherwise. */
  readonly held: 'successful' | 'declined' | 'not_sent' | null;
  readonly said: string | null;
};

/**
 * The unproved operations of one account, and those that its providers contradict: first those that a person may have
 * to settle, the oldest of each first. The indexes of the queues find them.
 */
export async function findInDoubt(db: TenantRunner, room: number): Promise<readonly InDoubtRow[]> {
  return db.run<InDoubtRow>(
    'find_in_doubt',
    `SELECT *
     FROM (
       SELECT
         id, order_id, transaction_id, provider, kind,
         CASE state WHEN 'requested' THEN 'reversing' ELSE state END AS state, amount_minor,
         currency, created_at, due_at, tries, NULL AS held, NULL AS said
       FROM payment.operations
       WHERE merchant_account_id = :merchant_account_id
         AND ${doubtInQueue()}
         AND due_at > '-infinity'
       UNION ALL
       SELECT
         operation_id, order_id, transaction_id, provider, kind, 'contradicted', amount_minor,
         currency, opened_at, due_at, tries, held, said
       FROM payment.contradictions
       WHERE merchant_account_id = :merchant_account_id
         AND state = 'open'
     ) AS doubts
     ORDER BY state IN ('review', 'contradicted') DESC, created_at
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), room },
  );
}

/** Has the worker look at it now. False: it is not in doubt. */
export async function lookNow(db: TenantRunner, { order_id, id }: { order_id: string; id: string }): Promise<boolean> {
  const rows = await db.run(
    'look_at_operation_now',
    `UPDATE payment.operations
     SET due_at = payment.now()
     WHERE order_id = :order_id
       AND id = :id
       AND merchant_account_id = :merchant_account_id
       AND ${doubtInQueue()}
     RETURNING 1`,
    { order_id: bytes(order_id), id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}

export type ViewRow = {
  readonly id: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly shared: boolean;
  readonly own: boolean;
};

/** A person's own, and behind them those that others share. */
export async function listViews(db: TenantRunner, person_id: string): Promise<readonly ViewRow[]> {
  return db.run<ViewRow>(
    'list_saved_views',
    `SELECT id, name, filters, shared, person_id = :person_id AS own
     FROM payment.saved_views
     WHERE merchant_account_id = :merchant_account_id
       AND (person_id = :person_id OR shared)
     ORDER BY own DESC, name, id
     LIMIT 200`,
    { merchant_account_id: bytes(db.merchant_account_id), person_id: bytes(person_id) },
  );
}

export type SavedView = Omit<ViewRow, 'filters' | 'own'> & { readonly filters: string; readonly person_id: string };

export async function insertView(db: TenantRunner, view: SavedView): Promise<void> {
  await db.run(
    'insert_view',
    `INSERT INTO payment.saved_views (id, merchant_account_id, person_id, name, filters, shared)
     VALUES (:id, :merchant_account_id, :person_id, :name, :filters::jsonb, :shared)`,
    {
      ...view,
      id: bytes(view.id),
      person_id: bytes(view.person_id),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
}

/** False: there is no such view of this person. */
export async function updateView(db: TenantRunner, view: SavedView): Promise<boolean> {
  const rows = await db.run(
    'update_view',
    `UPDATE payment.saved_views
     SET name = :name, filters = :filters::jsonb, shared = :shared
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND person_id = :person_id
     RETURNING 1`,
    {
      ...view,
      id: bytes(view.id),
      person_id: bytes(view.person_id),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
  return rows.length > 0;
}

/** `any_shared`: also one that another person shares, who may have left. */
export async function deleteView(
  db: TenantRunner,
  { id, person_id, any_shared }: { id: string; person_id: string; any_shared: boolean },
): Promise<boolean> {
  const rows = await db.run(
    'delete_view',
    `DELETE FROM payment.saved_views
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND (person_id = :person_id OR (shared AND :any_shared::boolean))
     RETURNING 1`,
    { id: bytes(id), person_id: bytes(person_id), any_shared, merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}
