// Orders as rows of a file: the export of a list, and the report of orders.
import { moneyText } from '../../../core/money.ts';
import type { OrderRow } from './rows.ts';

/** Of the columns behind the order's id. */
export const ORDER_COLUMNS: readonly string[] = [
  'created_at order_merchant_id customer_id customer_email amount currency status code method last4',
  'provider captured refunded in_doubt suspicious dispute',
].flatMap((line) => line.split(' '));

/**
 * The id, then a cell for each column. Amounts are decimal text in major units, exact: a number of a spreadsheet may
 * not hold them.
 */
export function orderCells(row: OrderRow, timeText: (time: Date) => string): (string | boolean | null)[] {
  const money = (minor: bigint) => moneyText(minor, row.currency);
  return [
    row.id,
    timeText(row.created_at),
    row.order_merchant_id,
    row.customer_id,
    row.customer_email,
    money(row.amount_minor),
    row.currency,
    row.status,
    row.code,
    row.payment_method_name,
    row.last4,
    row.provider,
    money(row.captured_minor),
    money(row.refunded_minor),
    row.is_in_doubt,
    row.is_suspicious,
    row.dispute,
  ];
}
