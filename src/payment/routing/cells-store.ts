// Statements on what orders were paid with.
import type { Cell } from '../../core/routing/lint.ts';
import { type TenantRunner, bytes } from '../../kit/database.ts';

/**
 * Currencies and schemes of the account's orders from a day (of Unix time) on, from their kept sums: however many there
 * are.
 */
export async function findCells(db: TenantRunner, from_day: number): Promise<readonly Cell[]> {
  return db.run<Cell>(
    'find_route_cells',
    `SELECT DISTINCT s.currency, s.name AS scheme
     FROM payment.order_sums s
     WHERE s.merchant_account_id = :merchant_account_id
       AND s.facet = 'scheme'
       AND s.hours = 24
       AND s.at >= :from_day
       AND s.name <> ''
     ORDER BY 1, 2`,
    { merchant_account_id: bytes(db.merchant_account_id), from_day },
  );
}

export type RoutedCell = Cell & {
  /** Null: it was refused. */
  readonly contract: string | null;
  readonly attempts: number;
  readonly approved: number;
};

type After = { readonly after: string };

/** The contracts of all attempts (with fallbacks) of orders after this id, and how many attempts each approved. */
export async function findRoutedCells(db: TenantRunner, { after }: After): Promise<readonly RoutedCell[]> {
  return db.run<RoutedCell>(
    'find_routed_cells',
    `SELECT
       o.currency, t.payment_method_name AS scheme, c.name AS contract, count(*)::int AS attempts,
       (count(*) FILTER (WHERE a.state = 'successful'))::int AS approved
     FROM payment.orders o
     JOIN payment.transactions t
       ON t.order_id = o.id
       AND t.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.contracts c
       ON c.id = t.contract_id
       AND c.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.operations a
       ON a.order_id = o.id
       AND a.merchant_account_id = :merchant_account_id
       AND a.transaction_id = t.id
       AND a.kind = 'authorize'
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id > :after
       AND t.payment_method_name <> ''
     GROUP BY 1, 2, 3
     ORDER BY 1, 2, 4 DESC`,
    { merchant_account_id: bytes(db.merchant_account_id), after: bytes(after) },
  );
}

/** The newest order that is not among the `most` newest; undefined: none after this id is left out. */
export async function findOrderBeyond(
  db: TenantRunner,
  { after, most }: After & { readonly most: number },
): Promise<string | undefined> {
  const [row] = await db.run<{ id: string }>(
    'find_order_beyond',
    `SELECT id
     FROM payment.orders
     WHERE merchant_account_id = :merchant_account_id
       AND id > :after
     ORDER BY id DESC
     LIMIT 1
     OFFSET :most`,
    { merchant_account_id: bytes(db.merchant_account_id), after: bytes(after), most },
  );
  return row?.id;
}
