// The card scheme's id of the first payment of a subscription: kept in the commit that learns it, named by later ones
// (contract 11).
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';

export type Kept = {
  readonly merchant_account_id: string;
  readonly subscription_id: string;
  readonly order_id: string;
  readonly reference: string;
};

/** The first one stays. */
export async function keepNetworkReference(db: Runner, kept: Kept): Promise<void> {
  await db.run(
    'keep_network_reference',
    `INSERT INTO payment.network_references (
       merchant_account_id, subscription_id, reference, order_id)
     VALUES (:merchant_account_id, :subscription_id, :reference, :order_id)
     ON CONFLICT DO NOTHING`,
    {
      merchant_account_id: bytes(kept.merchant_account_id),
      subscription_id: bytes(kept.subscription_id),
      order_id: bytes(kept.order_id),
      reference: kept.reference,
    },
  );
}

/** Undefined: no payment of this subscription was approved yet, or its provider told none. */
export async function findNetworkReference(db: TenantRunner, subscription_id: string): Promise<string | undefined> {
  const rows = await db.run<{ reference: string }>(
    'find_network_reference',
    `SELECT reference
     FROM payment.network_references
     WHERE merchant_account_id = :merchant_account_id
       AND subscription_id = :subscription_id`,
    { merchant_account_id: bytes(db.merchant_account_id), subscription_id: bytes(subscription_id) },
  );
  return rows[0]?.reference;
}
