// Statements that list customers for the back office.
import { type TenantRunner, bytes } from '../../kit/database.ts';

export type CustomerListRow = {
  readonly customer_id: string;
  readonly cards: number;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** Customers whose id begins so, by their id, behind `after`. */
export async function findCustomers(
  db: TenantRunner,
  { search, after, room }: { search: string; after: string; room: number },
): Promise<readonly CustomerListRow[]> {
  return db.run<CustomerListRow>(
    'find_customers',
    `SELECT
       c.customer_id, c.created_at, c.updated_at,
       (
         SELECT count(*)::int
         FROM payment.saved_cards s
         WHERE s.merchant_account_id = :merchant_account_id
           AND s.customer_id = c.customer_id
       ) AS cards
     FROM payment.customers c
     WHERE c.merchant_account_id = :merchant_account_id
       AND c.customer_id >= :search
       AND c.customer_id > :after
       AND starts_with(c.customer_id, :search)
     ORDER BY c.customer_id
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), search, after, room },
  );
}
