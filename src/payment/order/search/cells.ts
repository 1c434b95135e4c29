// Orders as rows of a file: the export of a list, and the report of orders.
import { moneyText } from '../../../core/money.ts';
import type { OrderRow } from './rows.ts';

type TimeText = (time: Date) => string;
type Cell = string | boolean | null;

/**
 * The columns behind the order's id, in their order. Amounts are decimal text in major units, exact: a number of a
 * spreadsheet may not hold them.
 */
const CELLS: Readonly<Record<string, (row: OrderRow, timeText: TimeText) => Cell>> = {
  created_at: (row, timeText) => timeText(row.created_at),
  order_merchant_id: (row) => row.order_merchant_id,
  customer_id: (row) => row.customer_id,
  customer_email: (row) => row.customer_email,
  amount: (row) => moneyText(row.amount_minor, row.currency),
  currency: (row) => row.currency,
  status: (row) => row.status,
  code: (row) => row.code,
  method: (row) => row.payment_method_name,
  last4: (row) => row.last4,
  provider: (row) => row.provider,
  captured: (row) => moneyText(row.captured_minor, row.currency),
  refunded: (row) => moneyText(row.refunded_minor, row.currency),
  in_doubt: (row) => row.is_in_doubt,
  suspicious: (row) => row.is_suspicious,
  dispute: (row) => row.dispute,
};

export const ORDER_COLUMNS: readonly string[] = Object.keys(CELLS);

/** The order's id, then a cell for each column. */
export function orderCells(row: OrderRow, timeText: TimeText): Cell[] {
  return [row.id, ...Object.values(CELLS).map((cell) => cell(row, timeText))];
}
