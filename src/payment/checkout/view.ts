// A checkout as answers show it (contract 5.1, 5.2).
import { longDate } from '../../core/dates.ts';
import { toMajor } from '../../core/money.ts';
import { type ResultName, type Result, findResult, result } from '../../core/results.ts';
import type { Answer } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import { type Known, paymentMethodsJson } from './methods.ts';
import { HOSTED_TYPES } from './request.ts';
import type { CheckoutOrder, CheckoutRow } from './store.ts';

export type CheckoutStatus = 'created' | 'processing' | 'completed' | 'declined' | 'cancelled' | 'expired';

/** The present status: what is stored, or what its orders and the clock make of it. */
export function checkoutStatus(
  row: CheckoutRow & { expired: boolean },
  orders: readonly CheckoutOrder[],
): CheckoutStatus {
  if (orders.some((order) => order.won)) return 'completed';
  const used_up = row.attempts >= row.max_attempts;
  // ended by the next opening of its payment link, it was declined before
  if (row.status !== 'created') return used_up && row.status === 'cancelled' ? 'declined' : row.status;
  if (orders.some((order) => order.live)) return 'processing';
  if (used_up) return 'declined';
  return row.expired ? 'expired' : 'created';
}

/** The answer of creation and of a read; a read adds what has become of it. */
export function checkoutAnswer(facts: {
  readonly row: Omit<CheckoutRow, 'status' | 'attempts'>;
  readonly status: CheckoutStatus;
  readonly account: Account;
  readonly known: Known;
  readonly vault_url: string;
  readonly read?: { readonly attempts_remaining: number; readonly orders: readonly CheckoutOrder[] };
}): Answer {
  const { row, status, read } = facts;
  const hosted = HOSTED_TYPES.includes(String(row.body['type']));
  const checkout = {
    checkout_id: row.id,
    status,
    payment_channel: 'e-commerce',
    token_type: 'oneshot',
    ...row.body,
    amount: toMajor(row.amount_minor, row.currency),
    currency: row.currency,
    expiration_date: longDate(row.expires_at),
    merchant_data: row.body['merchant_data'] ?? [],
    hosted_page_configuration: { hosted_fields: {} },
    ...(row.link_id !== null && { link_id: row.link_id }),
    ...(read && {
      attempts_remaining: read.attempts_remaining,
      orders: read.orders.map(({ order_id, status: order_status }) => ({ order_id, status: order_status })),
    }),
  };
  const body = { result: checkoutResult(status, read?.orders ?? []), checkout };
  if (status !== 'created') return { body };
  if (hosted) return { body: { ...body, redirect_url: `${facts.vault_url}/pay/${row.page_handle}` } };
  const json = paymentMethodsJson(facts.account, wantedOf(row), facts.known);
  return { body, last: { name: 'payment_methods', json } };
}

function checkoutResult(status: CheckoutStatus, orders: readonly CheckoutOrder[]): Result {
  const names: Partial<Record<CheckoutStatus, ResultName>> = {
    cancelled: 'payer_left_order',
    expired: 'payer_left_order',
  };
  const last = status === 'completed' || status === 'declined' ? findResult(orders[0]?.code ?? '') : undefined;
  return result(last?.name ?? names[status] ?? 'checkout_created');
}

/** The demands of this checkout on a contract. */
export function wantedOf(row: Omit<CheckoutRow, 'status' | 'attempts'>) {
  const { operation_type, token_type, payment_channel, customer_country, payment_method_name } = row.body;
  return {
    operation_type: operation_type ?? 'authorize',
    token_type: token_type ?? 'oneshot',
    payment_channel: payment_channel ?? 'e-commerce',
    currency: row.currency,
    country: customer_country,
    payment_method_name,
  };
}
