// Cards that no customer's record lists: a shop keeps the recurring token itself. The orders paid with it lead to it.
import { type TenantRunner, bytes } from '../../kit/database.ts';

/**
 * Puts the recurring tokens that these erased orders were paid with on the list of those whose cards the vault deletes;
 * answers how many. A token stays while a record lists it, while an order of somebody who is named was paid with it
 * (another's, or theirs that is erased next), and where payments without the payer were made: a subscription goes on.
 */
export async function removeUnsavedCards(db: TenantRunner, orders: readonly string[]): Promise<number> {
  const rows = await db.run(
    'remove_unsaved_cards',
    `INSERT INTO payment.card_removals (merchant_account_id, token_hash)
     SELECT DISTINCT t.merchant_account_id, t.token_hash
     FROM payment.transactions t
     WHERE t.order_id = ANY (:orders::bytea[])
       AND t.merchant_account_id = :merchant_account_id
       AND t.token_type = 'recurring'
       AND t.token_hash IS NOT NULL
       AND NOT EXISTS (
         SELECT 1
         FROM payment.saved_card_tokens saved
         WHERE saved.merchant_account_id = :merchant_account_id
           AND saved.token_hash = t.token_hash
       )
       AND NOT EXISTS (
         SELECT 1
         FROM payment.transactions other
         JOIN payment.orders o
           ON o.id = other.order_id
           AND o.merchant_account_id = :merchant_account_id
         LEFT JOIN payment.checkouts c
           ON c.id = o.checkout_id
           AND c.merchant_account_id = :merchant_account_id
         WHERE other.merchant_account_id = :merchant_account_id
           AND other.token_hash = t.token_hash
           AND other.token_type = 'recurring'
           AND (coalesce(o.body ->> 'payment_channel', c.body ->> 'payment_channel') = 'recurring'
             OR coalesce(
               o.body ->> 'customer_id', c.body ->> 'customer_id',
               o.body ->> 'customer_email', c.body ->> 'customer_email'
             ) IS NOT NULL)
       )
     ON CONFLICT DO NOTHING
     RETURNING 1 AS removed`,
    { orders: orders.map((id) => bytes(id)), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length;
}
