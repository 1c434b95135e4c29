// What a payment provider is to Florin. One half is a table of steps, data and nothing else: the vault reads it, and
// the operator signs its hash. The other half is pure functions that write a step and read its answer. A provider's
// folder opens no socket, reads no clock, uses no randomness and never sees a credential or a card: it leaves slots,
// which the sender fills.
import type { Retry, SchemeWords } from '../core/retries/follow.ts';
import type { ResultName } from '../core/results.ts';
import type { OPERATION_KINDS } from '../core/states.ts';
import type { PaymentBooks } from './books.ts';
import type { Capabilities, Credential } from './capabilities.ts';
import type { Disputing } from './disputing.ts';
import type { Notices } from './notices.ts';
import type { Evidence, Payer } from './payer.ts';
import type { SettlementReport } from './settlement.ts';

export type OperationKind = (typeof OPERATION_KINDS)[number] | 'inquiry';

// --- The table -------------------------------------------------------------------------------------------------------

/**
 * A value that the sender fills in. A slot that ends in `?` may be absent: then its member, key or field is left out.
 */
export type Slot =
  | 'card.number'
  | 'card.cvc?'
  | 'card.holder?'
  | 'card.expiry_month'
  | 'card.expiry_year'
  | 'card.expiry'
  | 'card.cryptogram?'
  | 'card.eci?'
  | 'psp.token'
  | 'psp.customer?'
  | `secret.${string}`;

/**
 * What a step does to money, and so what may have happened if its answer is lost. `none`: it reads, or makes something
 * that moves no money. `shell`: it makes an empty object, on which money may be held later. `money`: afterwards money
 * may be held, taken, given back or released.
 */
export type Effect = 'none' | 'shell' | 'money';

/**
 * May the step be sent once more? `freely`: it only asks. `same_key`: a repeat is answered as the first call was, as
 * long as the provider keeps keys (`can.key_kept_h`). `until_proved`: only after an inquiry proved that the first call
 * had no effect, or if a second effect does no harm. `never`: it carries a card.
 */
export type Again = 'freely' | 'same_key' | 'until_proved' | 'never';

type AnyStep = {
  /** Name of a host; the operator's signed file gives its address, and pins its certificate. */
  readonly host: string;
  /**
   * Place → slot. The place is a JSON pointer, a decoded form key or a field number. A step with a card or a token in
   * its slots goes through the vault.
   */
  readonly slots: Readonly<Record<string, Slot>>;
  /** Members of the answer with the provider's references: one that happens to pass Luhn is not masked as a card. */
  readonly references: readonly string[];
  readonly effect: Effect;
  readonly again: Again;
};

/** A request over HTTP. */
export type HttpStep = AnyStep & {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{name}` is replaced by a value from `write`, percent-encoded; each value keeps to VALUE. */
  readonly path: string;
  /** Name → text, or `{name}`. */
  readonly query?: Readonly<Record<string, string>>;
  /**
   * Header → a text, `step key`, `secret.NAME`, or a word and a secret (`Bearer secret.NAME`). With a `?` at its end, a
   * header is left out if its value is absent.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly content_type: 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data' | null;
  /** The most bytes of its body, instead of the limit for all bodies in the operator's file: files are longer. */
  readonly max_body?: number;
  /**
   * Sent with an access token (`authorization: Bearer …`), which the sender gets and keeps. Absent: headers say who
   * calls.
   */
  readonly access?: Access;
};

/**
 * How the sender gets an access token from the host of the step (RFC 6749, 4.4): path, and credentials of the client.
 */
export type Access = { readonly path: string; readonly id: string; readonly secret: string };

/**
 * A message over a line that stays open (ISO 8583). The body is JSON, field number → text; `read` gets the same form.
 */
export type LineStep = AnyStep & {
  /** Name of a dialect, `src/provider/send/iso8583/`. */
  readonly line: 'iso8583';
};

export type Step = HttpStep | LineStep;

export type Steps = Readonly<Record<string, Step>>;

/** The row alone says who sends the step: with a card or a token in its slots, the vault. */
export const goesThroughVault = ({ slots }: Step): boolean =>
  Object.values(slots).some((slot) => slot.startsWith('card.') || slot.startsWith('psp.'));

// --- Writing ---------------------------------------------------------------------------------------------------------

/** A body with slots: text as it is sent, and slots that the sender fills. */
export type Template = readonly (string | { readonly slot: Slot })[];

/**
 * What a step sends: values for the path and the query, and a body. The sender makes the key, of operation and step.
 */
export type Written = { readonly values: Readonly<Record<string, string>>; readonly body: Template };

/** What the steps before left: short texts by name, nothing secret, committed before the next step is sent. */
export type Kept = Readonly<Record<string, string>>;

/** What the core tells about one operation. Amounts are minor units of ISO 4217. */
export type Facts = {
  readonly operation_id: string;
  /** The merchant account whose money it is; real providers know it by their credentials. */
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly kind: OperationKind;
  readonly amount_minor: bigint;
  readonly currency: string;
  /** authorize only: capture in the same step (a sale). Never set where `can.sale` is `hold_then_capture`. */
  readonly with_capture: boolean;
  /** authorize only. */
  readonly evidence?: Evidence;
  /** authorize only. */
  readonly payer?: Payer;
  /**
   * The payer pays, but no page can be shown to them: a card by letter or telephone, or at a till. If an authorization
   * has neither this nor `payer`, the merchant pays by itself with a stored card.
   */
  readonly unseen_payer?: 'moto' | 'pos';
  /** capture only: this is the last capture, so the provider releases the rest. Absent: it is not. */
  readonly final?: boolean;
  readonly refund_reason?: 'requested_by_customer' | 'fraudulent' | 'duplicate' | 'other';
  readonly order_merchant_id: string;
  readonly scheme: string | null;
  /** authorize only: paid with this provider's own token instead of a card (contract 6.4). Absent: a card. */
  readonly psp_token?: boolean;
  /** authorize only: the number is a network token, with a cryptogram if the payer is present. Absent: a card. */
  readonly network_token?: boolean;
  /** The provider's reference of the authorization; known as soon as there is a shell, before money moves. */
  readonly authorization_reference: string | null;
  readonly authorization_code: string | null;
  /** What the steps of the authorization left. */
  readonly authorization_kept: Kept;
  /** refund only: the provider's reference of the capture that is refunded; a sale is its own capture. */
  readonly capture_reference: string | null;
  /** inquiry and reversal: the operation they are about. */
  readonly about?: {
    readonly kind: Exclude<OperationKind, 'inquiry'>;
    readonly operation_id: string;
    readonly with_capture: boolean;
    readonly reference: string | null;
    readonly kept: Kept;
    /** It was done at the provider's own site: it has no name of ours there, or that of something else. */
    readonly nameless?: true;
  };
};

// --- Reading ---------------------------------------------------------------------------------------------------------

export type Answer = { readonly status: number; readonly body: Uint8Array };

export type { Retry };

export type Outcome =
  | {
      readonly kind: 'approved';
      readonly reference: string;
      /**
       * These three: null if the provider did not repeat them, which counts as "as asked"; what it repeats is compared.
       */
      readonly our_reference: string | null;
      readonly amount_minor: bigint | null;
      readonly currency: string | null;
      readonly authorization_code: string;
      readonly captured: boolean;
      readonly provider_code: string;
      readonly provider_text: string;
      /** The scheme's id of this payment, where the provider tells it: 1 to 50 visible characters. */
      readonly network_reference?: string;
      /** The provider's own risk opinion, where it gives one: 0 (none) to 100. */
      readonly risk_score?: number;
      /** If the provider ran 3-D Secure itself: is the issuer liable instead of the merchant? */
      readonly liability_shifted?: boolean;
      /** It says that it authenticated nobody. Absent: it did, or does not say. */
      readonly unauthenticated?: true;
      /** For a sale that is held and not captured: the state of its capture. Absent: the provider did not say. */
      readonly capture?: UnfinishedCapture;
    }
  /** A reversal was acknowledged: the authorization under our reference does not stand, or never did. Final. */
  | { readonly kind: 'reversed'; readonly reference: string | null; readonly our_reference: string | null }
  | ({
      readonly kind: 'declined';
      readonly result: ResultName;
      /** Whether and when to try again. Absent: the provider did not say. */
      readonly retry?: Retry;
      readonly reference: string | null;
      readonly provider_code: string;
      readonly provider_text: string;
      /** The provider refused the credentials and looked no further: this says nothing of earlier calls. */
      readonly unheard?: true;
    } & SchemeWords)
  /** Accepted; the result comes by a message, or an inquiry finds it. */
  | { readonly kind: 'pending'; readonly reference: string | null }
  /** The step that moves money waits for the payer, and has moved nothing yet. */
  | {
      readonly kind: 'payer_must_act';
      readonly reference: string | null;
      /** `form`: our page posts these fields there by itself. */
      readonly go: {
        readonly method: 'GET' | 'POST';
        readonly url: string;
        readonly form?: Readonly<Record<string, string>>;
      };
      /** The step that is sent once the payer has come back. */
      readonly resume: string;
      /**
       * `there`: the provider goes on by itself once the payer has finished, so a time-out must undo. `by_resume`: it
       * goes on only when we send `resume`.
       */
      readonly finishes: 'there' | 'by_resume';
      /** Parameters of the payer's return that `resume` gets, as kept `back.NAME`; all others are dropped. */
      readonly takes: readonly string[];
    }
  | { readonly kind: 'not_found' }
  | {
      readonly kind: 'unknown';
      readonly why: 'timeout' | 'closed' | 'unreadable' | 'provider_error';
      /** The provider refused the credentials: it works, and did nothing. */
      readonly unheard?: true;
    };

/**
 * The capture of a sale that was only held: an inquiry or a message will tell, or it was refused and the hold stands.
 */
export type UnfinishedCapture =
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'declined';
      readonly result: ResultName;
      readonly provider_code: string;
      readonly provider_text: string;
    };

/**
 * Go on with `step`: its name and `keep` are committed first; `reference` becomes the operation's reference at once.
 */
export type Next = { readonly kind: 'next'; readonly step: string; readonly keep: Kept; readonly reference?: string };

export type Reading = Outcome | Next;

// --- A provider ------------------------------------------------------------------------------------------------------

export type Provider = {
  readonly name: string;
  /** The folder whose `steps.ts` holds the provider's table; two providers may share one. */
  readonly table: string;
  /** The name that people see. The checkout's `partner` is `name`, not this. */
  readonly display_name: string;
  readonly steps: Steps;
  readonly can: Capabilities;
  /** The credentials that a contract needs. */
  readonly credentials: readonly Credential[];
  /** The first step. Undefined: no such operation here, or nothing to work on; then nothing may be sent. */
  first(facts: Facts): string | undefined;
  /**
   * The same facts give the same bytes. Undefined: the provider cannot express it, as an amount that it does not know.
   */
  write(step: string, facts: Facts, kept: Kept): Written | undefined;
  /** Reads an answer. It never throws, whatever the bytes: what cannot be understood is `unknown`. */
  read(step: string, answer: Answer, facts: Facts, kept: Kept): Reading;
  readonly notices?: Notices;
  /** What its books show of a payment. Absent: they cannot be asked for, and its messages alone tell. */
  readonly books?: PaymentBooks;
  /** For `florin reconcile`, if the provider gives a report of its own. */
  readonly settlement?: SettlementReport;
  /** Answers to disputes through the provider's API. Absent: they are given at the provider's own site. */
  readonly disputing?: Disputing;
  /** The place where a person answers a dispute at the provider, in words. */
  readonly disputes_at: string;
};

/** Separates the parts of a form with a file in it; the writer of the body and of the header use the same text. */
export const BOUNDARY = 'florin-7c1f0e9a4b2d4c55a0d3e8f1b6a79c42';

/** The form of a value in a path or a query. */
export const VALUE = /^[A-Za-z0-9_-]{1,128}$/;
