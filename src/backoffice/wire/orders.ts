// Wire: orders, refunds that wait for a second person, what is in doubt, customers.
import type { Page } from '../wire.ts';
import type { DisputeState, OrderContradiction, OrderDispute } from './doubt.ts';
import type { RetryRow } from './retries.ts';

export type {
  DisputeState,
  InDoubt,
  InDoubtList,
  OrderContradiction,
  OrderDispute,
  ResolutionAnswer,
  ResolutionForm,
} from './doubt.ts';

export type OrderFilters = {
  /** Any id or reference, customer id, e-mail, last four digits, an amount, or beginnings of names and e-mails. */
  readonly search?: string;
  /** Several, separated by commas. */
  readonly status?: string;
  /** What became of the money: an outcome of the overview. */
  readonly outcome?: string;
  /** Result code of the present status. */
  readonly code?: string;
  readonly currency?: string;
  readonly provider?: string;
  readonly method?: string;
  /** Major units. */
  readonly amount_from?: string;
  readonly amount_to?: string;
  readonly created_from?: string;
  readonly created_to?: string;
  readonly in_doubt?: 'true';
  readonly suspicious?: 'true';
  /** Orders with a dispute, however it stands. */
  readonly disputed?: 'true';
  readonly limit?: string;
  readonly cursor?: string;
};

export type OrderRow = {
  readonly id: string;
  readonly created_at: string;
  readonly order_merchant_id: string;
  readonly customer_id: string | null;
  readonly customer_email: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  readonly status: string;
  readonly code: string | null;
  readonly method: string | null;
  readonly last4: string | null;
  readonly provider: string | null;
  readonly captured_minor: number;
  readonly refunded_minor: number;
  /** An outcome is unknown, or a provider contradicts what is final here. */
  readonly in_doubt: boolean;
  readonly suspicious: boolean;
  /** The most important dispute: opened, then lost, then won. Null: there is none. */
  readonly dispute: DisputeState | null;
};
export type OrderPage = Page & {
  readonly orders: readonly OrderRow[];
  /** The search matches more people than are looked for: these are the orders of the first ones. */
  readonly too_many_people: boolean;
};

/** The currencies of the account's orders, most used first. */
export type Currencies = { readonly currencies: readonly string[] };

export type MoneyBox = {
  readonly currency: string;
  readonly ordered_minor: number;
  readonly authorized_minor: number;
  readonly captured_minor: number;
  readonly capturing_minor: number;
  readonly refunded_minor: number;
  readonly refunding_minor: number;
  readonly released_minor: number;
  /** The amount that may be captured now; 0 if the money is blocked or no further capture is allowed. */
  readonly capturable_minor: number;
  /** A refund of disputed money is refused at first (see RefundForm), and still counts here. */
  readonly refundable_minor: number;
  /** The amount that payers' banks took back: disputes that are open or lost. */
  readonly charged_back_minor: number;
  /** The amount that payers got back beyond what was captured: refunds and disputes took the same money. */
  readonly back_twice_minor: number;
  /** All that is held, or the whole order while its authorization is undecided; 0: a cancel would be refused. */
  readonly cancellable_minor: number;
};

export type OrderOperation = {
  readonly id: string;
  readonly transaction_id: string;
  readonly target_id: string | null;
  readonly kind: 'authorize' | 'capture' | 'refund' | 'cancel' | 'reversal';
  readonly origin: string;
  readonly state: string;
  readonly amount_minor: number;
  readonly code: string | null;
  readonly code_text: string | null;
  readonly provider_code: string | null;
  readonly provider_text: string | null;
  readonly provider_ref: string | null;
  readonly operation_merchant_id: string | null;
  readonly reason: string | null;
  readonly created_at: string;
  readonly settled_at: string | null;
};

export type OrderAttempt = {
  readonly id: string;
  readonly provider: string;
  readonly contract_id: string | null;
  readonly contract: string | null;
  readonly method: string;
  readonly first6: string | null;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly risk_score: number | null;
  readonly cascade_of: string | null;
  readonly created_at: string;
};

/** One event of the order; they are in order of time. */
export type TimelineEntry = {
  readonly at: string;
  /**
   * event: a status of the order, a dispute (dispute.opened, ….won, ….lost), order.contradicted or order.retries_ended
   * · call: something was sent, answered or seen of a provider · person: somebody acted here.
   */
  readonly kind: 'event' | 'call' | 'person';
  readonly title: string;
  readonly code: string | null;
  readonly code_text: string | null;
  readonly operation_id: string | null;
  readonly request_id: string | null;
  /** A person's name, or where it came from: merchant, recovery, provider, schedule, operator. */
  readonly who: string | null;
  readonly why: string | null;
  readonly provider: string | null;
  readonly provider_code: string | null;
  readonly http_status: number | null;
  readonly amount_minor: number | null;
  /** The request to the provider, written again from the same facts; the places of card data are named, not filled. */
  readonly request: unknown;
  /**
   * The provider's answer as it is stored, with card data masked. Null beside an HTTP status: the text is the same as
   * in the answer before.
   */
  readonly answer: string | null;
  /** What the provider file read from the answer. */
  readonly read: unknown;
};

export type RouteStep = {
  readonly contract: string;
  readonly provider: string;
  readonly chosen: boolean;
  /** Why it was chosen, or passed over. */
  readonly why: string;
};

export type OrderDetail = {
  readonly id: string;
  readonly checkout_id: string | null;
  readonly order_merchant_id: string;
  readonly status: string;
  readonly code: string;
  readonly code_text: string;
  /** The same as in the list. */
  readonly in_doubt: boolean;
  readonly dispute: DisputeState | null;
  readonly disputes: readonly OrderDispute[];
  readonly contradictions: readonly OrderContradiction[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly read_at: string;
  readonly attempts_remaining: number;
  readonly money: MoneyBox;
  readonly attempts: readonly OrderAttempt[];
  readonly operations: readonly OrderOperation[];
  readonly timeline: readonly TimelineEntry[];
  /** Files with calls of this order that are no longer in the database; empty text: one that is being written. */
  readonly archives: readonly string[];
  /** Later tries that are planned or under way; null: none. */
  readonly retry: Pick<RetryRow, 'next_at' | 'cause' | 'tries' | 'most'> | null;
  readonly route: readonly RouteStep[];
  /** For each attempt, why the routing rules chose as they did; empty: none were in force. */
  readonly why: readonly { readonly transaction_id: string; readonly lines: readonly string[] }[];
  /** The merchant's own request, card data never in it. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The present answer of GET /payment/order/{id}. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly notifications: readonly OrderNotification[];
};

/** GET /orders/:id/related: the newest others, not the order itself. */
export type RelatedOrders = {
  readonly customer: readonly OrderRow[];
  /** Orders with the same scheme and last four digits: paid with the same card, or with one that ends alike. */
  readonly card: readonly OrderRow[];
};

export type OrderNotification = {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event: string;
  readonly sequence: number;
  readonly state: string;
  readonly tries: number;
  readonly last_http_status: number | null;
  readonly created_at: string;
};

/** Without an amount: all that is left. */
export type CaptureForm = { readonly amount?: string; readonly final?: boolean; readonly reason: string };
export type RefundForm = {
  readonly amount?: string;
  readonly capture_id?: string;
  readonly reason: string;
  /** Without it, disputed money is refused with 409, 620210 and a detail that names the dispute. */
  readonly even_if_disputed?: boolean;
};
export type CancelForm = { readonly reason: string };
/**
 * pending: the provider has not decided; it is in the timeline. waits: a second person must approve it. A refusal is a
 * Problem.
 */
export type ActionDone = {
  readonly state: 'successful' | 'pending' | 'waits';
  readonly operation_id: string;
  readonly order: OrderDetail;
};

export type SavedView = {
  readonly id: string;
  readonly name: string;
  readonly filters: OrderFilters;
  readonly shared: boolean;
  /** Not one that another person shares. */
  readonly own: boolean;
};
export type SavedViewForm = {
  readonly id?: string;
  readonly name: string;
  readonly filters: OrderFilters;
  readonly shared: boolean;
};
export type SavedViews = { readonly views: readonly SavedView[] };

export type CustomerRow = {
  readonly customer_id: string;
  readonly cards: number;
  readonly created_at: string;
  readonly updated_at: string;
};
export type CustomerPage = Page & { readonly customers: readonly CustomerRow[] };
export type SavedCard = {
  readonly id: string;
  readonly scheme: string;
  readonly first6: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly uses: number;
  readonly last_used_at: string | null;
};
export type CustomerDetail = {
  readonly customer_id: string;
  readonly ip: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly cards: readonly SavedCard[];
  readonly methods: readonly { readonly name: string; readonly uses: number; readonly last_used_at: string }[];
  readonly orders: readonly OrderRow[];
};
export type CardRemovalForm = { readonly customer_id: string; readonly id: string; readonly reason: string };

/** A refund that waits for a second person. */
export type RefundRequest = {
  readonly id: string;
  readonly order_id: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly reason: string;
  /** Who asked knows that the payer's bank may have taken the money back, and wants it refunded all the same. */
  readonly even_if_disputed: boolean;
  readonly requested_by: string;
  readonly created_at: string;
  /** The refund request is the viewer's own: another person must approve it. */
  readonly own: boolean;
};
export type RefundRequests = {
  readonly requests: readonly RefundRequest[];
  /** More wait than are listed. */
  readonly more: boolean;
};
