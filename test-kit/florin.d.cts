// Types of florin/test (docs/test-kit.md).
import type { EventName, FaultName, cards } from './cards.cjs';

export { cards } from './cards.cjs';
export type { EventName, FaultName } from './cards.cjs';

export type Json = Readonly<Record<string, unknown>>;

/** How something came out: a code of docs/codes.md. */
export type Result = { readonly code: string; readonly description: string };

/** An answer about an order; docs/api.md lists all members. */
export type Order = Json & {
  readonly order_id: string;
  readonly transaction_id: string;
  readonly order_merchant_id: string;
  readonly status: string;
  readonly result: Result;
};

export type Asking = {
  /** GET without a body, POST with one, unless given. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Json;
};

/** 90 (seconds), 90s, 30m, 12h, 3d, 2w, 1d12h. */
export type Span = string | number;

export type Fault = {
  readonly operation:
    | 'authorize'
    | 'direct_capture'
    | 'capture'
    | 'refund'
    | 'cancel'
    | 'inquiry'
    | 'authentication'
    | 'notification';
  readonly fault: FaultName;
  /** How many calls; 1 unless given. */
  readonly times?: number;
  readonly provider?: 'simulator' | 'simulator_b';
  /** With decline: the code it ends with. */
  readonly code?: string;
  readonly delay_ms?: number;
  readonly seconds?: number;
  readonly match?: {
    readonly order_id?: string;
    readonly order_merchant_id?: string;
    readonly amount?: string | number;
    readonly card_4_digits?: string;
  };
};

/** What came, as it was sent; docs/contract.md 13.1 lists all members. */
export type Notification = Json & {
  readonly event: EventName;
  readonly sequence: number;
  readonly order_id?: string;
  readonly order_version?: number;
  readonly result?: Result;
};

export type Wanted = {
  readonly event?: EventName;
  readonly order?: string | { readonly order_id: string };
  readonly where?: (notification: Notification) => boolean;
};

export type Notifications = {
  /** What they are signed with. */
  readonly secret: string;
  /** All so far, in the order in which they came; those that `next` gave away too. */
  readonly received: readonly Notification[];
  /** The first that fits and that no other call was given, as soon as it is there; an error with all that came after `within` ms (10,000). */
  next(wanted?: Wanted, options?: { readonly within?: number }): Promise<Notification>;
  /** Its bytes and headers, for a receiver of yours that checks the signature. */
  raw(notification: Notification): {
    readonly text: string;
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  };
};

/** A merchant account of its own in a sandbox. */
export type Florin = {
  readonly api_url: string;
  readonly vault_url: string;
  readonly backoffice_url: string;
  readonly merchant_account_id: string;
  readonly private_key: string;
  readonly public_key: string;
  /** Card numbers by what they mean. */
  readonly cards: typeof cards;
  /** A request to the payment API with the private key. */
  ask(path: string, asking?: Asking): Promise<Answer>;
  /** The token of a card; `more` are further fields of POST /token. */
  token(card_number: string, more?: Json): Promise<string>;
  /** Pays 42.50 EUR at once with an approved card, unless the fields say otherwise, and waits up to `wait` seconds (10) for the outcome. */
  pay(fields?: Json & { readonly card?: string }, options?: { readonly wait?: number }): Promise<Order>;
  /**
   * The payer at their bank: opens the order's redirect_url, types the code (1234, which is right; the guide on testing lists others)
   * or gives up, and comes back. Answers the address they are led to in the end.
   */
  authenticate(
    order: string | { readonly order_id: string; readonly redirect_url?: string },
    act?: { readonly code?: string; readonly cancel?: boolean },
  ): Promise<string>;
  /** The order as it stands. */
  order(order: string | { readonly order_id: string }): Promise<Order>;
  readonly clock: {
    now(): Promise<Date>;
    /** All that is due until then has happened. For `startFlorin({ own_clock: true })` only. */
    advance(span: Span): Promise<Date>;
  };
  /** What goes wrong with the next calls of this account. */
  readonly faults: {
    arm(fault: Fault): Promise<Json>;
    list(): Promise<readonly Json[]>;
    clear(): Promise<void>;
  };
  readonly notifications: Notifications;
  close(): Promise<void>;
  /** `close`, at the end of the block of an `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * A merchant account of its own in the sandbox of this project, which is started where none runs and ends two seconds after the
 * last test. With `own_clock`, a sandbox of its own: its clock may be moved, and it ends when `close` is done.
 */
export declare function startFlorin(options?: { readonly own_clock?: boolean }): Promise<Florin>;
