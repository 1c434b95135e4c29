// What a payment provider is to Florin: pure functions that write a request as data and read an answer as data.
// A provider file opens no socket, reads no clock, draws no chance, holds no credential and never sees a card:
// it leaves slots that the vault fills (providers.md 2).
import type { ResultName } from '../core/results.ts';
import type { Proof } from './three-ds/contract.ts';

export type OperationKind = 'authorize' | 'capture' | 'refund' | 'cancel' | 'inquiry' | 'reversal';

/** A place in a body that the vault fills: of the card, or of the credentials of the merchant's contract (secret). */
export type Slot =
  | 'card.number'
  | 'card.cvc?'
  | 'card.holder?'
  | 'card.cryptogram?'
  | 'card.eci?'
  | 'card.expiry_month'
  | 'card.expiry_year'
  | 'psp.token'
  | 'psp.customer?'
  | `secret.${string}`;

/** A body with holes: text as it goes on the wire, and slots. A slot that ends in `?` becomes JSON null when absent. */
export type Template = readonly (string | { readonly slot: Slot })[];

/** Where a call goes: a destination and a route that the sender has pinned, never a free address. */
export type Call = {
  readonly destination: string;
  readonly route: string;
  readonly path_values: Readonly<Record<string, string>>;
  /** Goes out as the provider's idempotency key; the operation's id, so it is the same after a crash. */
  readonly key: string;
  readonly body: Template;
  readonly deadline_ms: number;
};

/** What goes with an authorization beside card and amount (contract 7.1, 10.1). */
export type Evidence = {
  /** The card is a saved one. */
  readonly stored_card: boolean;
  /** The scheme's id of the first payment of the subscription that this one belongs to (contract 11). */
  readonly previous_reference?: string;
  readonly three_ds?: Proof;
  /** Of an authentication made elsewhere, as the merchant gave it. */
  readonly three_ds_data?: Readonly<Record<string, string>>;
  readonly sca_exemption?: string;
};

/** What the core tells a provider file about one operation. Amounts are minor units. */
export type Facts = {
  readonly operation_id: string;
  /** Whose money it is; real providers are told by their credentials. */
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly kind: OperationKind;
  readonly amount_minor: bigint;
  readonly currency: string;
  /** authorize only: capture in the same step (a sale). */
  readonly with_capture: boolean;
  /** authorize only. */
  readonly evidence?: Evidence;
  /** capture only: the last one, so the provider releases what is left. Absent: it is not. */
  readonly final?: boolean;
  readonly order_merchant_id: string;
  readonly scheme: string | null;
  /** authorize only: a token of this provider's own is paid with, in place of a card (contract 6.4). Absent: a card. */
  readonly psp_token?: boolean;
  /** Provider's reference of the operation this one works on: the authorization of a capture, the capture of a refund. */
  readonly target_reference: string | null;
  /** Our own id of the operation that is inquired (any kind) or of the authorization that is reversed. */
  readonly target_operation_id: string | null;
};

export type Answer = { readonly status: number; readonly body: Uint8Array };

export type Outcome =
  | {
      readonly kind: 'approved';
      readonly reference: string;
      readonly our_reference: string;
      readonly amount_minor: bigint;
      readonly currency: string;
      readonly authorization_code: string;
      readonly captured: boolean;
      readonly provider_code: string;
      readonly provider_text: string;
      /** The scheme's id of this payment, where the provider tells it: 1 to 50 visible characters. */
      readonly network_reference?: string;
      /** The provider's own risk opinion, where it gives one: 0 (none) to 100. */
      readonly risk_score?: number;
      /** Of a sale that is held and not captured: what is with its capture. Absent: nothing was said. */
      readonly capture?: UnfinishedCapture;
    }
  /** A reversal was acknowledged: what was authorized under our reference does not stand, or never did. Final. */
  | { readonly kind: 'reversed'; readonly reference: string; readonly our_reference: string }
  | {
      readonly kind: 'declined';
      readonly result: ResultName;
      readonly reference: string | null;
      readonly provider_code: string;
      readonly provider_text: string;
      /** Turned away for its credentials before it was looked at: says nothing of what was sent before under the same reference. */
      readonly unheard?: true;
    }
  | { readonly kind: 'pending'; readonly reference: string | null }
  | { readonly kind: 'not_found' }
  | {
      readonly kind: 'unknown';
      readonly why: 'timeout' | 'closed' | 'unreadable' | 'provider_error';
      /** Turned away for its credentials: the provider is well, and was told nothing. */
      readonly unheard?: true;
    };

/** Waits for its own ending, which an inquiry about the sale or a message tells; or it was refused, and the hold stands. */
export type UnfinishedCapture =
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'declined';
      readonly result: ResultName;
      readonly provider_code: string;
      readonly provider_text: string;
    };

/** What a provider can do, as data: routing and maintenance ask these flags, never the provider's name. */
export type Capabilities = {
  readonly captures: 'none' | 'one' | 'many';
  readonly refund_of: 'order' | 'capture';
  readonly inquiry: boolean;
  readonly cancel_by_own_reference: boolean;
  readonly deduplicates: boolean;
  readonly scheme_choice: boolean;
  readonly psp_token: boolean;
  readonly three_ds_data: boolean;
  readonly follow_up_needs_card: boolean;
  readonly answer_deadline_s: number;
  readonly in_flight_s: number;
};

/** The payer's bank takes a captured amount back, gives that up, or has it for good. */
export type Dispute = {
  readonly kind: 'dispute';
  readonly state: 'opened' | 'won' | 'lost';
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly reason: string;
  readonly reason_code: string;
  /** When it happened there, ISO 8601. */
  readonly at: string;
};

/** What a provider tells on its own: a webhook, or a line of a file. Matched by our reference. */
export type Message = {
  /** The provider's own id of the event: one of each has an effect. */
  readonly event_ref: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  /** Our id of the operation it is about; of a sale's capture, the sale's. */
  readonly our_reference: string;
  readonly about: 'authorize' | 'capture' | 'refund' | 'cancel';
  readonly news:
    | Outcome
    /** A capture or refund that was reported done failed later. */
    | { readonly kind: 'corrected'; readonly result: ResultName; readonly reference: string | null }
    /** The authorization ended by itself. */
    | { readonly kind: 'lapsed' }
    | Dispute;
};

/**
 * How a provider signs: HMAC-SHA256 in lower-case hex over `{timestamp}.{body}`, with headers of these names. The timestamp is in
 * milliseconds since 1970, of this very delivery.
 */
export type Signing = { readonly timestamp_header: string; readonly signature_header: string };

/** A credential of a merchant's contract with a provider. */
export type Credential = {
  /** As core/ids.ts says. */
  readonly name: string;
  readonly required: boolean;
  /** Beside its field in the back office. */
  readonly help: string;
};

export type Provider = {
  readonly name: string;
  /** Shown to people; what the checkout's `partner` says is the name. */
  readonly display_name: string;
  readonly can: Capabilities;
  /** What a contract needs to be used; where they stand in a call is said where the call is sent. */
  readonly credentials: readonly Credential[];
  /** Same facts in, same bytes out. Undefined: this provider has no such operation. */
  write(facts: Facts): Call | undefined;
  /** Never throws, whatever the bytes: what cannot be understood is `unknown`. */
  read(answer: Answer, facts: Facts): Outcome;
  /** Reads a message whose signature was checked; undefined: nothing that concerns an operation of ours. */
  readonly messages?: { readonly signing: Signing; read(body: Uint8Array): Message | undefined };
};
