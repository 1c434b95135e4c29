// The statement that continues an attempt: at another provider, or at the same one after authentication.
import { type Parameters, type Runner, bytes } from '../../../kit/database.ts';
import { HELD, IS_FREE, openDecline } from '../../declines/parts-store.ts';
import { CARD_OF_PREVIOUS, insertOperation, insertTransaction } from '../facts/parts-store.ts';

export type Fallback = {
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly from_id: string;
  readonly transaction_id: string;
  readonly provider: string;
  readonly contract_id: string;
  readonly with_capture: boolean;
  readonly request_id: string | null;
  readonly lease_s: number;
  /** The authorization is sent at once. */
  readonly authorizes: boolean;
};

/**
 * Continues the attempt with another provider, within the transaction that ended the try before. With a guard the try
 * counts from now on. False: the limits of the card's scheme forbid it.
 */
export async function insertFallback(db: Runner, fallback: Fallback, guard?: Parameters): Promise<boolean> {
  const { held, and_free, open } = guard ? GUARDED : NOT_GUARDED;
  // one statement, so that the try, its place in the counted declines and the operation to send begin together
  const text = `WITH previous AS (
       SELECT *
       FROM payment.transactions
       WHERE order_id = :order_id
         AND merchant_account_id = :merchant_account_id
         AND id = :from_id
     ),
     ${held}
     new_transaction AS (${insertTransaction(
       {
         id: ':transaction_id',
         order_id: 'previous.order_id',
         attempt: 'previous.attempt + 1',
         cascade_of: 'previous.id',
         provider: ':provider',
         contract_id: ':contract_id',
         ...CARD_OF_PREVIOUS,
         created_at: 'payment.now()',
         risk: 'previous.risk',
         route: 'previous.route',
       },
       `FROM previous
  WHERE true ${and_free}
  RETURNING created_at AS at`,
     )}),
     ${open}
     new_operation AS (${insertOperation(
       {
         id: ':transaction_id',
         order_id: 'orders.id',
         transaction_id: ':transaction_id',
         provider: ':provider',
         kind: `'authorize'`,
         amount_minor: 'orders.amount_minor',
         currency: 'orders.currency',
         with_capture: ':with_capture',
         order_merchant_id: 'orders.order_merchant_id',
         request_id: ':request_id',
         created_at: 'new_transaction.at',
         due_at: 'new_transaction.at + make_interval(secs => :lease_s)',
       },
       `FROM payment.orders, new_transaction
  WHERE orders.id = :order_id
    AND orders.merchant_account_id = :merchant_account_id
    AND :authorizes`,
     )})
     SELECT 1 AS begun FROM new_transaction`;
  const parameters = {
    ...fallback,
    ...guard,
    merchant_account_id: bytes(fallback.merchant_account_id),
    order_id: bytes(fallback.order_id),
    from_id: bytes(fallback.from_id),
    transaction_id: bytes(fallback.transaction_id),
    contract_id: bytes(fallback.contract_id),
    request_id: bytes(fallback.request_id),
  };
  const rows = guard
    ? await db.run('insert_guarded_fallback', text, parameters)
    : await db.run('insert_fallback', text, parameters);
  return rows.length > 0;
}

const NOT_GUARDED = { held: '', and_free: '', open: '' };
const GUARDED = { held: `${HELD},`, and_free: `AND ${IS_FREE}`, open: `${openDecline('new_transaction')},` };
