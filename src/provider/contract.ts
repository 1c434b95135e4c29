// What a payment provider is to Florin. Two halves: a table of steps, which is data and nothing else (the vault and the
// operator read it, and its hash is signed), and pure functions that write a step's values and read its answer. A
// provider's folder opens no socket, reads no clock, draws no chance, holds no credential and never sees a card: it
// leaves slots that the sender fills.
import type { Retry, SchemeWords } from '../core/retries/follow.ts';
import type { ResultName } from '../core/results.ts';
import type { Capabilities, Credential } from './capabilities.ts';
import type { Disputing } from './disputing.ts';
import type { Notices } from './notices.ts';
import type { Evidence, Payer } from './payer.ts';
import type { SettlementReport } from './settlement.ts';

export type OperationKind = 'authorize' | 'capture' | 'refund' | 'cancel' | 'inquiry' | 'reversal';

// --- The table -------------------------------------------------------------------------------------------------------

/** Filled in by the sender. One that ends in `?` may be absent: its member, key or field is then left out. */
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
 * What a step does to money, and so what its lost answer can mean. `none`: it reads, or makes something that moves no
 * money. `shell`: an empty object that money may come to stand in. `money`: afterwards money may be held, taken, given
 * back or released.
 */
export type Effect = 'none' | 'shell' | 'money';

/**
 * May it be sent once more? `freely`: a look. `same_key`: a repeat under the same key is answered as the first was, as
 * long as the provider keeps keys (`can.key_kept_h`). `until_proved`: it deduplicates nothing; sent again once an
 * inquiry proved that the first had no effect, or where it does no harm twice. `never`: a card goes with it.
 */
export type Again = 'freely' | 'same_key' | 'until_proved' | 'never';

type AnyStep = {
  /** Name of a host; the operator's signed file says which one, and pins its certificate. */
  readonly host: string;
  /**
   * Place → slot. The place is a JSON pointer, a decoded form key or a field number. With a card or a token: through
   * the vault.
   */
  readonly slots: Readonly<Record<string, Slot>>;
  /** Members of the answer that hold the provider's references: one that happens to pass Luhn stays as it is. */
  readonly references: readonly string[];
  readonly effect: Effect;
  readonly again: Again;
};

/** A request of HTTP. */
export type HttpStep = AnyStep & {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{name}` is filled from what `write` gives, percent-encoded, each of VALUE. */
  readonly path: string;
  /** Name → text, or `{name}`. */
  readonly query?: Readonly<Record<string, string>>;
  /**
   * Header → text, `step key`, `secret.NAME` or a word and it (`Bearer secret.NAME`); with a `?` behind it, left out
   * where not given.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly content_type: 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data' | null;
  /** The most bytes of its body, in place of what the operator's file says of all bodies: files are longer. */
  readonly max_body?: number;
  /**
   * Goes out with an access token, as `authorization: Bearer …`, which the sender gets and keeps. Absent: the headers
   * say who calls.
   */
  readonly access?: Access;
};

/**
 * How the sender gets an access token (RFC 6749, 4.4) from the host of the step: where it asks, and which credentials
 * are the client's name and secret.
 */
export type Access = { readonly path: string; readonly id: string; readonly secret: string };

/**
 * A message over a line that is kept open (ISO 8583). The body is a JSON object: field number → text; `read` is given
 * the same form.
 */
export type LineStep = AnyStep & {
  /** Name of a dialect, `src/provider/send/iso8583/`. */
  readonly line: 'iso8583';
};

export type Step = HttpStep | LineStep;

export type Steps = Readonly<Record<string, Step>>;

/** Who sends it follows from the row alone. */
export const goesThroughVault = ({ slots }: Step): boolean =>
  Object.values(slots).some((slot) => slot.startsWith('card.') || slot.startsWith('psp.'));

// --- Writing ---------------------------------------------------------------------------------------------------------

/** A body with holes: text as it goes on the wire, and slots. */
export type Template = readonly (string | { readonly slot: Slot })[];

/**
 * What a step needs: values for the path and the query, and a body. Its key is made by the sender, of the operation and
 * the step.
 */
export type Written = { readonly values: Readonly<Record<string, string>>; readonly body: Template };

/**
 * What earlier steps of the operation left, committed before the next one is sent: short texts by name, nothing secret.
 */
export type Kept = Readonly<Record<string, string>>;

/** What the core tells about one operation. Amounts are minor units of ISO 4217. */
export type Facts = {
  readonly operation_id: string;
  /** Whose money it is; real providers know it by their credentials. */
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
   * The payer pays, and no page can be shown to them: a card by letter or telephone, or at a till. Where this and
   * `payer` are absent of an authorization, the merchant pays by itself with a stored card.
   */
  readonly unseen_payer?: 'moto' | 'pos';
  /** capture only: the last one, so the provider releases what is left. Absent: it is not. */
  readonly final?: boolean;
  readonly refund_reason?: 'requested_by_customer' | 'fraudulent' | 'duplicate' | 'other';
  readonly order_merchant_id: string;
  readonly scheme: string | null;
  /** authorize only: a token of this provider's own is paid with, in place of a card (contract 6.4). Absent: a card. */
  readonly psp_token?: boolean;
  /** authorize only: the number is a network token, with its cryptogram where the payer is there. Absent: a card. */
  readonly network_token?: boolean;
  /** The provider's reference of the authorization; there as soon as a shell is, long before money moves. */
  readonly authorization_reference: string | null;
  readonly authorization_code: string | null;
  /** What the steps of the authorization left. */
  readonly authorization_kept: Kept;
  /** Of a refund: the provider's reference of the capture it gives back of; a sale is its own capture. */
  readonly capture_reference: string | null;
  /** inquiry and reversal: the operation they are about. */
  readonly about?: {
    readonly kind: Exclude<OperationKind, 'inquiry'>;
    readonly operation_id: string;
    readonly with_capture: boolean;
    readonly reference: string | null;
    readonly kept: Kept;
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
       * Null, of these three: the provider did not repeat it. What it does repeat is compared; what it does not is
       * taken as asked.
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
      /** Where the provider ran 3-D Secure itself: has it the liability shifted away from the merchant? */
      readonly liability_shifted?: boolean;
      /** Of a sale that is held and not captured: what is with its capture. Absent: nothing was said. */
      readonly capture?: UnfinishedCapture;
    }
  /** A reversal was acknowledged: what was authorized under our reference does not stand, or never did. Final. */
  | { readonly kind: 'reversed'; readonly reference: string | null; readonly our_reference: string | null }
  | ({
      readonly kind: 'declined';
      readonly result: ResultName;
      /** Absent: the provider's words say nothing of it. */
      readonly retry?: Retry;
      readonly reference: string | null;
      readonly provider_code: string;
      readonly provider_text: string;
      /**
       * Turned away for its credentials before it was looked at: says nothing of what was sent before under the same
       * reference.
       */
      readonly unheard?: true;
    } & SchemeWords)
  /** Taken; the truth comes by a message, or is found by asking. */
  | { readonly kind: 'pending'; readonly reference: string | null }
  /** The money step waits for the payer, and has moved nothing yet. */
  | {
      readonly kind: 'payer_must_act';
      readonly reference: string | null;
      /** `form`: our page posts these fields there by itself. */
      readonly go: {
        readonly method: 'GET' | 'POST';
        readonly url: string;
        readonly form?: Readonly<Record<string, string>>;
      };
      /** The step that is sent once the payer came back. */
      readonly resume: string;
      /**
       * `there`: the provider goes on by itself once the payer is through, seen or not; a time-out must undo.
       * `by_resume`: not without us.
       */
      readonly finishes: 'there' | 'by_resume';
      /** Parameters of the payer's return that `resume` is given, as kept `back.NAME`; all others are dropped. */
      readonly takes: readonly string[];
    }
  | { readonly kind: 'not_found' }
  | {
      readonly kind: 'unknown';
      readonly why: 'timeout' | 'closed' | 'unreadable' | 'provider_error';
      /** Turned away for its credentials: the provider is well, and did nothing. */
      readonly unheard?: true;
    };

/**
 * Waits for its own ending, which an inquiry about the sale or a message tells; or it was refused, and the hold stands.
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
 * Go on with `step`. What is kept is committed with its name, in one statement, before it is sent; `reference` becomes
 * the operation's at once.
 */
export type Next = { readonly kind: 'next'; readonly step: string; readonly keep: Kept; readonly reference?: string };

export type Reading = Outcome | Next;

// --- A provider ------------------------------------------------------------------------------------------------------

export type Provider = {
  readonly name: string;
  /** The folder whose `steps.ts` holds its table; two providers may share one. */
  readonly table: string;
  /** Shown to people; what the checkout's `partner` says is the name. */
  readonly display_name: string;
  readonly steps: Steps;
  readonly can: Capabilities;
  /** What a contract needs to be used. */
  readonly credentials: readonly Credential[];
  /**
   * The step an operation begins with. Undefined: no such operation here, or nothing to work on. It must not be sent.
   */
  first(facts: Facts): string | undefined;
  /** Same facts in, same bytes out. Undefined: it cannot be said here (an amount that the provider does not know). */
  write(step: string, facts: Facts, kept: Kept): Written | undefined;
  /** Never throws, whatever the bytes: what cannot be understood is `unknown`. */
  read(step: string, answer: Answer, facts: Facts, kept: Kept): Reading;
  readonly notices?: Notices;
  /** For `florin reconcile`, where the provider gives a report of its own. */
  readonly settlement?: SettlementReport;
  /** Takes answers to disputes. Absent: they are given at the provider's own site. */
  readonly disputing?: Disputing;
  /** Where a person answers a dispute at the provider, in words. */
  readonly disputes_at: string;
};

/** What parts a form with a file in it: who writes the body and who names it in the header say the same. */
export const BOUNDARY = 'florin-7c1f0e9a4b2d4c55a0d3e8f1b6a79c42';

/** A value of a path or a query. */
export const VALUE = /^[A-Za-z0-9_-]{1,128}$/;
