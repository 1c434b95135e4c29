// Statements on saved cards that are removed, until the vault has deleted them too.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import { type Key, keyParameters, newKey } from '../store.ts';

export type Removal = {
  readonly customer_id: string;
  /** What is removed: one item by its id, one by a token, or all if both are null. */
  readonly id: string | null;
  readonly token_hash: string | null;
  readonly request_id: string;
  readonly code: string;
  readonly key: Key | undefined;
};

/**
 * Removes saved cards, all or nothing: items and tokens go (also with another customer who was given the same token),
 * every token is put on the list of those the vault still has to delete, orders under way save it for nobody, and the
 * change is an event. The customer is locked before. No row: the Idempotency-Key is taken, or nothing was named that is
 * the customer's; the caller finds out which.
 */
export async function removeCards(
  db: TenantRunner,
  { key, ...removal }: Removal,
): Promise<readonly { readonly token_hash: string | null }[]> {
  return db.run<{ token_hash: string | null }>(
    'remove_saved_cards',
    // one statement: all or nothing, in one round trip while the customer is locked
    `WITH customer AS (
       SELECT id
       FROM payment.customers
       WHERE merchant_account_id = :merchant_account_id
         AND customer_id = :customer_id
     ),
     named_cards AS (
       SELECT saved.card_digest
       FROM payment.saved_cards saved, customer
       WHERE saved.merchant_account_id = :merchant_account_id
         AND saved.customer_id = :customer_id
         AND (:id::bytea IS NULL OR saved.id = :id)
         AND (:token_hash::bytea IS NULL
           OR saved.card_digest = (
             SELECT token.card_digest
             FROM payment.saved_card_tokens token
             WHERE token.merchant_account_id = :merchant_account_id
               AND token.token_hash = :token_hash
               AND token.customer_id = :customer_id
           ))
     ),
     may_take_key AS (
       SELECT customer.id
       FROM customer
       WHERE :id IS NULL AND :token_hash IS NULL
         OR EXISTS (SELECT 1 FROM named_cards)
     ),
     ${newKey('may_take_key', 'may_take_key.id')},
     may_begin AS (
       SELECT may_take_key.id
       FROM may_take_key
       WHERE :key IS NULL
         OR EXISTS (SELECT 1 FROM new_key)
     ),
     removed AS (
       SELECT token.token_hash
       FROM may_begin, named_cards, payment.saved_card_tokens token
       WHERE token.merchant_account_id = :merchant_account_id
         AND token.customer_id = :customer_id
         AND token.card_digest = named_cards.card_digest
     ),
     removed_tokens AS (
       DELETE FROM payment.saved_card_tokens token
       USING removed
       WHERE token.merchant_account_id = :merchant_account_id
         AND token.token_hash = removed.token_hash
       RETURNING token.token_hash, token.customer_id, token.card_digest
     ),
     removed_cards AS (
       DELETE FROM payment.saved_cards card
       USING removed_tokens
       WHERE card.merchant_account_id = :merchant_account_id
         AND card.customer_id = removed_tokens.customer_id
         AND card.card_digest = removed_tokens.card_digest
         AND (card.customer_id = :customer_id OR card.token_hash = removed_tokens.token_hash)
       RETURNING 1
     ),
     emptied AS (
       UPDATE payment.customer_orders entry
       SET token_sealed = NULL
       FROM removed
       WHERE entry.merchant_account_id = :merchant_account_id
         AND entry.token_hash = removed.token_hash
         AND entry.token_sealed IS NOT NULL
     ),
     new_removals AS (
       INSERT INTO payment.card_removals (merchant_account_id, token_hash)
       SELECT :merchant_account_id, removed.token_hash
       FROM removed
       ON CONFLICT DO NOTHING
     ),
     changed AS (
       UPDATE payment.customers known
       SET version = version + 1, next_seq = next_seq + 1, updated_at = payment.now()
       FROM may_begin
       WHERE known.merchant_account_id = :merchant_account_id
         AND known.customer_id = :customer_id
         AND EXISTS (SELECT 1 FROM removed)
       RETURNING known.id, known.next_seq - 1 AS seq, known.updated_at
     ),
     new_event AS (
       INSERT INTO payment.events (
         subject_id, seq, merchant_account_id, type, code, request_id,
         payload, at)
       SELECT
         changed.id, changed.seq, :merchant_account_id, 'customer.updated', :code, :request_id,
         json_build_object('customer_id', :customer_id::text), changed.updated_at
       FROM changed
     )
     SELECT removed.token_hash
     FROM may_begin
     LEFT JOIN removed ON true`,
    {
      ...removal,
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(removal.id),
      token_hash: bytes(removal.token_hash),
      request_id: bytes(removal.request_id),
      ...keyParameters(key),
    },
  );
}

/** True while a removed token waits to be deleted by the vault: it is no longer good, whatever the vault still says. */
export async function isRemoved(db: TenantRunner, token_hash: string): Promise<boolean> {
  const rows = await db.run(
    'is_card_removed',
    `SELECT 1 AS removed
     FROM payment.card_removals
     WHERE merchant_account_id = :merchant_account_id
       AND token_hash = :token_hash`,
    { merchant_account_id: bytes(db.merchant_account_id), token_hash: bytes(token_hash) },
  );
  return rows.length > 0;
}

/**
 * True when an attempt that is not over was accepted with this token: it still needs the card. Its authorization is not
 * decided, or is not there yet because the payer is authenticated first.
 */
export async function isNeeded(db: TenantRunner, token_hash: string): Promise<boolean> {
  const rows = await db.run(
    'is_card_needed',
    `SELECT 1 AS needed
     FROM payment.transactions t
     LEFT JOIN payment.operations p
       ON p.order_id = t.order_id
       AND p.id = t.id
       AND p.merchant_account_id = :merchant_account_id
     WHERE t.merchant_account_id = :merchant_account_id
       AND t.token_hash = :token_hash
       AND t.token_type = 'recurring'
       AND CASE
         WHEN p.id IS NULL THEN NOT t.dead
         ELSE p.state IN ('requested', 'in_doubt', 'reversing', 'review')
       END
     LIMIT 1`,
    { merchant_account_id: bytes(db.merchant_account_id), token_hash: bytes(token_hash) },
  );
  return rows.length > 0;
}

export async function finishRemoval(db: TenantRunner, token_hash: string): Promise<void> {
  await db.run(
    'finish_card_removal',
    `DELETE FROM payment.card_removals
     WHERE merchant_account_id = :merchant_account_id
       AND token_hash = :token_hash`,
    { merchant_account_id: bytes(db.merchant_account_id), token_hash: bytes(token_hash) },
  );
}

export type ClaimedRemoval = {
  readonly merchant_account_id: string;
  readonly token_hash: string;
  readonly tries: number;
};

/** Takes removals that are due, each for one worker at a time. */
export async function claimRemovals(
  db: Runner,
  claim: { room: number; lease_s: number },
): Promise<readonly ClaimedRemoval[]> {
  return db.run<ClaimedRemoval>(
    'claim_card_removals',
    `-- any account: the queue of all of them
     SELECT merchant_account_id, token_hash, tries
     FROM payment.claim_removals(:room, make_interval(secs => :lease_s))`,
    claim,
  );
}
