// Statements on what left for a provider: the record that comes first, its end, and the tombstone of what never leaves.
import { type Batching, askRow, bytes, rowStatement } from '../../kit/database.ts';

export type Begin = {
  readonly operation_id: string;
  readonly order_id: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly token_hash: string;
  readonly checkout_id: string | null;
  readonly destination: string;
  readonly digest: string;
  /** The partner whose token is wanted; null: a card. */
  readonly partner: string | null;
};

export type BegunRow = {
  readonly kind: 'oneshot' | 'recurring';
  readonly sealed: string;
  readonly data_key_id: bigint;
  /** Null: a partner's token came without. */
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly created_at: Date;
  readonly may_send: boolean;
};

/**
 * Spends a token for its order and writes the at-most-once record, in one commit. No row: the token cannot be used. A
 * one-shot token is its order's from now on; a saved card is free of the checkout it was typed for, and written only
 * when this is its first payment or the first since its cvc was entered again: so payments with one card do not wait
 * for each other.
 */
export async function beginOnce(db: Batching, begin: Begin): Promise<BegunRow | undefined> {
  return askRow<BegunRow>(db.batch, BEGIN_ONCE, {
    ...begin,
    operation_id: bytes(begin.operation_id),
    order_id: bytes(begin.order_id),
    merchant_account_id: bytes(begin.merchant_account_id),
    token_hash: bytes(begin.token_hash),
    checkout_id: bytes(begin.checkout_id),
    digest: bytes(begin.digest),
  });
}

const BEGIN_ONCE = rowStatement(
  'begin_once',
  {
    columns: {
      operation_id: 'bytea',
      order_id: 'bytea',
      merchant_account_id: 'bytea',
      environment: 'text',
      token_hash: 'bytea',
      checkout_id: 'bytea',
      destination: 'text',
      digest: 'bytea',
      partner: 'text',
    },
    // who comes second finds the token spent, or the operation begun
    apart: ({ token_hash, operation_id }) => [String(token_hash), String(operation_id)],
  },
  (asked) => `WITH ${asked},
     spent AS (
       UPDATE vault.cards
       SET
         spent_order_id = coalesce(cards.spent_order_id, asked.order_id),
         spent_at = CASE cards.kind
           WHEN 'oneshot' THEN coalesce(cards.spent_at, vault.now())
           ELSE vault.now()
         END
       FROM asked
       WHERE cards.token_hash = asked.token_hash
         AND cards.merchant_account_id = asked.merchant_account_id
         AND cards.environment = asked.environment
         AND cards.partner IS NOT DISTINCT FROM asked.partner
         AND CASE cards.kind
           WHEN 'oneshot' THEN
             cards.spent_order_id = asked.order_id
             OR cards.spent_order_id IS NULL AND cards.expires_at > vault.now()
           ELSE cards.spent_at IS NULL OR cards.spent_at < cards.cvc_entered_at
         END
         AND (cards.checkout_id IS NULL
           OR cards.checkout_id = asked.checkout_id
           OR cards.kind = 'recurring' AND cards.spent_at IS NOT NULL)
       RETURNING asked.*, kind, sealed, data_key_id, exp_month, exp_year, created_at
     ),
     begun AS (
       SELECT * FROM spent
       UNION ALL
       SELECT asked.*, kind, sealed, data_key_id, exp_month, exp_year, created_at
       FROM asked
       JOIN vault.cards ON cards.token_hash = asked.token_hash
       WHERE NOT EXISTS (SELECT 1 FROM spent WHERE spent.n = asked.n)
         AND cards.merchant_account_id = asked.merchant_account_id
         AND cards.environment = asked.environment
         -- said so, no plan reads the index of saved cards for it
         AND kind <> 'oneshot'
         AND cards.partner IS NOT DISTINCT FROM asked.partner
         AND (cards.checkout_id IS NULL
           OR cards.checkout_id = asked.checkout_id
           OR spent_at IS NOT NULL)
     ),
     new_forward AS (
       INSERT INTO vault.forwards (
         operation_id, merchant_account_id, order_id, destination, digest, policy, state)
       SELECT
         operation_id, merchant_account_id, order_id, destination, digest, 'once', 'sending'
       FROM begun
       ON CONFLICT (operation_id) DO NOTHING
       RETURNING operation_id
     )
     SELECT
       n, kind, sealed, data_key_id, exp_month, exp_year, created_at,
       new_forward.operation_id IS NOT NULL AS may_send
     FROM begun
     LEFT JOIN new_forward USING (operation_id)`,
);

/** Writes the tombstone of an operation unless it was sent before. True: it never was, and never will be. */
export async function insertTombstone(db: Batching, operation_id: string): Promise<boolean> {
  const rows = await db.batch(
    'insert_tombstone',
    `INSERT INTO vault.forwards (operation_id, policy, state)
     VALUES (:operation_id, 'tombstone', 'tombstone')
     ON CONFLICT (operation_id) DO NOTHING
     RETURNING 1`,
    { operation_id: bytes(operation_id) },
  );
  return rows.length > 0;
}

export type ForwardRow = {
  readonly state: 'sending' | 'answered' | 'not_sent' | 'tombstone';
  readonly http_status: number | null;
  readonly answer_sealed: string | null;
  readonly merchant_account_id: string | null;
  /** Seconds since it was sent. */
  readonly sent_s: number;
};

export async function findForward(db: Batching, operation_id: string): Promise<ForwardRow | undefined> {
  const rows = await db.batchRead<ForwardRow>(
    'find_forward',
    `SELECT
       state, http_status, answer_sealed, merchant_account_id,
       greatest(0, extract(epoch FROM vault.now() - sent_at))::float8 AS sent_s
     FROM vault.forwards
     WHERE operation_id = :operation_id`,
    { operation_id: bytes(operation_id) },
  );
  return rows[0];
}

export async function updateForward(
  db: Batching,
  forward: {
    operation_id: string;
    state: 'answered' | 'not_sent';
    http_status: number | null;
    answer_sealed: Buffer | null;
  },
): Promise<void> {
  await db.batch(
    'update_forward',
    `UPDATE vault.forwards
     SET state = :state, http_status = :http_status, answer_sealed = :answer_sealed
     WHERE operation_id = :operation_id
       AND state = 'sending'`,
    { ...forward, operation_id: bytes(forward.operation_id) },
  );
}
