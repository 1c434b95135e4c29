// The merchant's requests about an order, as calls that can be made again. They come from the stored rows alone, which
// hold no card.
import { luhn } from '../../core/card.ts';
import { toMajor } from '../../core/money.ts';
import { RESULTS } from '../../core/results.ts';
import { SCENARIO_CARDS, WELL_KNOWN_CARDS } from '../../core/sandbox/cards.ts';
import { StartError } from '../../kit/start-error.ts';
import type { OperationFacts, OrderFacts, TransactionFacts } from '../../payment/order/facts/order-facts.ts';
import { codeNumber } from '../sandbox/cards.ts';

export type Call = {
  readonly kind: 'order' | 'retry' | 'capture' | 'refund' | 'cancel';
  /** When the call was made, ISO 8601. */
  readonly at: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** For an order and a retry: the card to tokenize. */
  readonly card?: { readonly number: string; readonly token_type: string };
  /** For a refund: the index of the refunded capture among the order's captures. */
  readonly capture?: number;
};

/** Returns the calls in the order of time. */
export function callsOf(order: OrderFacts, card: string | undefined): readonly Call[] {
  const attempts = order.transactions.filter(({ cascade_of }) => cascade_of === null);
  const paying = attempts.map((transaction, i) =>
    payingOf(order, transaction, { first: i === 0, last: i === attempts.length - 1, card }),
  );
  const rest = order.operations.flatMap((operation) => followUpOf(order, operation));
  return [...paying, ...rest].toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

/** What may be wrong with these calls; undefined if nothing is. */
export function doubtOf({ transactions }: OrderFacts): string | undefined {
  if (transactions.filter(({ cascade_of }) => cascade_of === null).length < 2) return undefined;
  return 'The order was tried again, and an order keeps the fields of its last attempt only: the attempts before are played with them too. If a retry changed fields, what comes out may differ.';
}

function payingOf(
  order: OrderFacts,
  transaction: TransactionFacts,
  { first, last, card }: { first: boolean; last: boolean; card: string | undefined },
): Call {
  const token_type = transaction.token_type ?? 'oneshot';
  const paid = { at: transaction.created_at, card: { number: card ?? numberOf(order, transaction), token_type } };
  // data of an authentication made elsewhere belong to one card: that of the last attempt, with which they came
  const { '3ds_data': made_elsewhere, ...fields } = order.body;
  const outside = last && made_elsewhere !== undefined && { '3ds_data': made_elsewhere };
  if (!first) return { kind: 'retry', body: { ...outside }, ...paid };
  const { currency, amount_minor, order_merchant_id } = order;
  const body = { ...fields, ...outside, amount: toMajor(amount_minor, currency), currency, order_merchant_id };
  return { kind: 'order', body, ...paid };
}

function followUpOf(order: OrderFacts, operation: OperationFacts): Call[] {
  const { kind, origin, created_at: at, amount_minor, operation_merchant_id, refund_reason, final } = operation;
  if (origin !== 'merchant' || (kind !== 'capture' && kind !== 'refund' && kind !== 'cancel')) return [];
  // the merchant did not ask for the capture of a direct capture by itself
  if (kind === 'capture' && operation.target_id !== null) return [];
  const body = {
    ...(kind !== 'cancel' && { amount: toMajor(amount_minor, order.currency) }),
    ...(kind === 'capture' && final && { final }),
    ...(operation_merchant_id !== null && { operation_merchant_id }),
    ...(refund_reason !== null && { refund_reason }),
  };
  if (kind !== 'refund') return [{ kind, at, body }];
  const captures = order.operations.filter((one) => one.kind === 'capture');
  return [{ kind, at, body, capture: captures.findIndex(({ id }) => id === operation.target_id) }];
}

const LISTED = [...WELL_KNOWN_CARDS, ...SCENARIO_CARDS].flatMap(({ numbers }) => numbers);
const CODED = RESULTS.filter(({ code }) => /^(?:1[35]|[2-7])\d{4}$/.test(code)).map(({ code }) => codeNumber(code));

/** The sandbox's card number with these digits; if there are several, the one that can end as this order did. */
function numberOf(order: OrderFacts, { first6, last4 }: TransactionFacts): string {
  if (first6 === null || last4 === null)
    throw new StartError('This order was not paid by card: it cannot be replayed.');
  const fits = (number: string) => number.startsWith(first6) && number.endsWith(last4);
  const found = [...LISTED, ...CODED].filter(fits);
  const codes = new Set(order.operations.flatMap(({ code }) => code ?? []));
  const [one, ...more] = found.length < 2 ? found : found.filter((number) => codes.has(number.slice(9, 15)));
  if (one !== undefined && more.length === 0) return one;
  if (found.length === 0) return anyNumber(first6, last4);
  throw new StartError(
    `Several cards of the sandbox begin with ${first6} and end with ${last4}: say which with --card. ${found.join(', ')}`,
  );
}

/** A number that the sandbox does not list is approved, and one with these digits looks the same. */
function anyNumber(first6: string, last4: string): string {
  for (let middle = 0; middle < 10; middle++) {
    const number = `${first6}00000${middle}${last4}`;
    if (luhn(Buffer.from(number, 'latin1'))) return number;
  }
  throw new StartError(`No card begins with ${first6} and ends with ${last4}.`);
}
