import { type OperationOutcome, operationOutcome } from '../operation.ts';
import { type PaymentOutcome, outcomeOf } from '../outcome.ts';
import { type Rows, rowsOf } from '../pages.ts';
import { type CallOptions, type Connection, type RepeatOptions, repeated } from '../send/send.ts';
import type {
  CancelAnswer,
  CancelRequest,
  CaptureAnswer,
  CaptureRequest,
  ListOrdersQuery,
  ListedOrder,
  Order,
  OrderAnswer,
  OrderList,
  OrderRequest,
  RefundAnswer,
  RefundRequest,
  RetryRequest,
  RetryStopped,
} from '../wire/schemas.ts';
import { ask, move } from './call.ts';
import { type Waitable, type WaitOptions, untilDecided } from './wait.ts';

export type Orders = {
  /** POST /payment/order: pays. Never throws for want of an answer: that is `in_doubt`. */
  create(request: OrderRequest, options?: CallOptions): Promise<Waitable<OrderAnswer>>;
  /** PUT /payment/order/{order_id}: tries a declined order again with another token. */
  retry(order_id: string, request: RetryRequest, options?: CallOptions): Promise<Waitable<OrderAnswer>>;
  /** DELETE /payment/order/{order_id}/retry: a declined payment is not tried again later. */
  stopRetries(order_id: string, options?: CallOptions): Promise<RetryStopped>;
  /** GET /payment/order/{order_id}: the order as it stands now, with all transactions. */
  read(order_id: string, options?: CallOptions): Promise<Order>;
  /** The same read as an outcome. */
  outcome(order_id: string, options?: CallOptions): Promise<PaymentOutcome<Order>>;
  /**
   * Asks again until the payment is approved or declined, or until the payer must act. Answers what is known when the
   * time (25 s unless given) is over: look at its kind.
   */
  waitUntilDecided(payment: string | Waitable<OrderAnswer>, options?: WaitOptions): Promise<PaymentOutcome>;
  /** GET /payment/order: newest first. */
  list(query?: ListOrdersQuery, options?: CallOptions): Rows<ListedOrder>;
  /** POST /payment/maintenance/capture/{order_id}: takes what is held, all or a part. */
  capture(order_id: string, request?: CaptureRequest, options?: CallOptions): Promise<OperationOutcome<CaptureAnswer>>;
  /** POST /payment/maintenance/refund/{order_id}: gives back, all or a part. */
  refund(order_id: string, request?: RefundRequest, options?: CallOptions): Promise<OperationOutcome<RefundAnswer>>;
  /** POST /payment/maintenance/cancel/{order_id}: lets go of what is held, before any capture. */
  cancel(order_id: string, request?: CancelRequest, options?: CallOptions): Promise<OperationOutcome<CancelAnswer>>;
};

export function ordersOf(connection: Connection): Orders {
  type Paying = { readonly params?: { readonly order_id: string }; readonly body: object };
  /** `before`: what the call before this one told, when this one repeats it. */
  type Before = { readonly order_id: string | undefined };
  async function pay(name: 'createOrder' | 'retryOrder', asked: Paying, options?: CallOptions, before?: Before) {
    const said = await move(connection, name, { ...asked, options, again: before !== undefined });
    const { idempotency_key } = said;
    const repeat = (how?: RepeatOptions) => pay(name, asked, repeated(options, idempotency_key, how), outcome);
    const outcome: PaymentOutcome =
      said.kind === 'unknown'
        ? { kind: 'in_doubt', order_id: before?.order_id, order: undefined, idempotency_key, cause: said.cause }
        : outcomeOf(said.body as OrderAnswer, idempotency_key);
    return withRepeat(outcome, repeat);
  }
  const operate =
    <Answer>(name: 'captureOrder' | 'refundOrder' | 'cancelOrder', order_id: string) =>
    (body: object, options?: CallOptions): Promise<OperationOutcome<Answer>> =>
      operationOutcome<Answer>((again) =>
        move(connection, name, {
          params: { order_id },
          body,
          options: again ? repeated(options, again.idempotency_key, again.how) : options,
          again: again !== undefined,
        }),
      );
  const read = (order_id: string, options?: CallOptions): Promise<Order> =>
    ask(connection, 'readOrder', { params: { order_id }, options });
  const outcome = async (order_id: string, options?: CallOptions) => outcomeOf(await read(order_id, options));
  return {
    create: (body, options) => pay('createOrder', { body }, options),
    retry: (order_id, body, options) => pay('retryOrder', { params: { order_id }, body }, options),
    stopRetries: (order_id, options) => ask(connection, 'stopRetries', { params: { order_id }, options }),
    read,
    outcome,
    waitUntilDecided: (payment, options) => untilDecided({ connection, outcome }, payment, options),
    list: (query = {}, options) =>
      rowsOf(async (cursor) => {
        const list = await ask<OrderList>(connection, 'listOrders', { query: { ...query, cursor }, options });
        return { rows: list.orders, next_cursor: list.next_cursor ?? undefined };
      }, query.cursor ?? undefined),
    capture: (order_id, body = {}, options) => operate<CaptureAnswer>('captureOrder', order_id)(body, options),
    refund: (order_id, body = {}, options) => operate<RefundAnswer>('refundOrder', order_id)(body, options),
    cancel: (order_id, body = {}, options) => operate<CancelAnswer>('cancelOrder', order_id)(body, options),
  };
}

/** Not enumerable: an outcome can be logged and stored, and the request is in neither. */
function withRepeat(outcome: PaymentOutcome, repeat: Waitable<OrderAnswer>['repeat']): Waitable<OrderAnswer> {
  return Object.defineProperty(outcome, 'repeat', { value: repeat }) as Waitable<OrderAnswer>;
}
