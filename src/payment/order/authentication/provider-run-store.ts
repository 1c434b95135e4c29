// Statements on provider runs: the payer is at the provider's own page, in place of an authentication by us. A run is a
// row of the authentications, and begins and ends in the commits of its operation.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { StoredAuthentication } from './authentication-store.ts';

export type ProviderRun = Omit<StoredAuthentication, 'lease_s'> & {
  readonly url: string;
  /** Posted there by the payer's page; null: a link leads there. */
  readonly form: Readonly<Record<string, string>> | null;
};

/**
 * Within the transaction that says on the order that the provider sees the payer. It is never due by itself: its
 * operation is, and ends it.
 */
export async function insertProviderRun(db: Runner, run: ProviderRun): Promise<void> {
  const { merchant_account_id, ...row } = run;
  await db.run(
    'insert_provider_run',
    `INSERT INTO payment.authentications (
       id, order_id, transaction_id, merchant_account_id, order_merchant_id, demand, state,
       handle, partner, request_id, created_at, due_at,
       provider_run, acs_url, form)
     SELECT
       :id, o.id, :transaction_id, :merchant_account_id::bytea, o.order_merchant_id, :demand,
       'challenge',
       :handle, :partner, :request_id, o.updated_at, 'infinity',
       true, :url, :form::json
     FROM payment.orders o
     WHERE o.id = :order_id
       AND o.merchant_account_id = :merchant_account_id
     ON CONFLICT (order_id, transaction_id) DO UPDATE SET
       acs_url = excluded.acs_url,
       form = excluded.form`,
    {
      ...row,
      form: row.form === null ? null : JSON.stringify(row.form),
      merchant_account_id: bytes(merchant_account_id),
      id: bytes(row.id),
      order_id: bytes(row.order_id),
      transaction_id: bytes(row.transaction_id),
      request_id: bytes(row.request_id),
      handle: bytes(row.handle),
    },
  );
}

export type ProviderRunEnd = {
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly state: 'successful' | 'declined';
  readonly code: string | null;
  readonly liability_shifted: boolean;
};

/** Within the transaction that ends its operation. */
export async function endProviderRun(db: Runner, end: ProviderRunEnd): Promise<void> {
  await db.run(
    'end_provider_run',
    `UPDATE payment.authentications
     SET
       state = :state,
       code = :code,
       liability_shifted = :liability_shifted,
       settled_at = payment.now()
     WHERE order_id = :order_id
       AND transaction_id = :transaction_id
       AND merchant_account_id = :merchant_account_id
       AND provider_run
       AND state = 'challenge'`,
    {
      ...end,
      merchant_account_id: bytes(end.merchant_account_id),
      order_id: bytes(end.order_id),
      transaction_id: bytes(end.transaction_id),
    },
  );
}

/**
 * Within the transaction that ends its operation: the payer's bank was asked by the provider, and wanted nothing of the
 * payer. It has ended where it begins, and nobody ever waited for it.
 */
export async function insertUnseenRun(db: Runner, run: Omit<ProviderRun, 'url' | 'form'>): Promise<void> {
  const { merchant_account_id, ...row } = run;
  await db.run(
    'insert_unseen_run',
    `INSERT INTO payment.authentications (
       id, order_id, transaction_id, merchant_account_id, order_merchant_id, demand, state,
       handle, partner, request_id, created_at, settled_at, due_at,
       provider_run, liability_shifted)
     SELECT
       :id, o.id, :transaction_id, :merchant_account_id::bytea, o.order_merchant_id, :demand,
       'successful',
       :handle, :partner, :request_id, o.updated_at, o.updated_at, 'infinity',
       true, true
     FROM payment.orders o
     WHERE o.id = :order_id
       AND o.merchant_account_id = :merchant_account_id`,
    {
      ...row,
      merchant_account_id: bytes(merchant_account_id),
      id: bytes(row.id),
      order_id: bytes(row.order_id),
      transaction_id: bytes(row.transaction_id),
      request_id: bytes(row.request_id),
      handle: bytes(row.handle),
    },
  );
}

/**
 * A message of the provider said first that the authorization stands, and says nothing of who is liable; its own answer
 * to the payer's return does. True: it was not known yet.
 */
export async function noteLiability(
  db: TenantRunner,
  { order_id, transaction_id }: { readonly order_id: string; readonly transaction_id: string },
): Promise<boolean> {
  const rows = await db.run(
    'note_liability',
    `UPDATE payment.authentications
     SET liability_shifted = true
     WHERE order_id = :order_id
       AND transaction_id = :transaction_id
       AND merchant_account_id = :merchant_account_id
       AND provider_run
       AND state = 'successful'
       AND NOT liability_shifted
     RETURNING 1`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(order_id),
      transaction_id: bytes(transaction_id),
    },
  );
  return rows.length > 0;
}
