// What a 3-D Secure server is to Florin: pure functions that write its calls as data and read its answers
// as data, as a provider file does for payments. Florin integrates 3-D Secure; it is not a 3DS server.
import type { Answer, Template } from '../contract.ts';
import type { SignatureRecipe } from '../notices.ts';

/** Why the payer is to be authenticated: the order asks or insists (contract 10.1), or the issuer declined softly. */
export type Demand = 'ask_3ds' | 'force_3ds' | 'soft_decline';

/** What the core tells about one authentication. Amounts are minor units. */
export type AuthenticationFacts = {
  readonly authentication_id: string;
  readonly merchant_account_id: string;
  readonly merchant_name: string;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly scheme: string;
  readonly demand: Demand;
  /** The card is a saved one. */
  readonly stored_card: boolean;
  /** The moment of the payment. */
  readonly at: Date;
  /** Where the payer's browser comes back to. */
  readonly notification_url: string;
  /** Address of the merchant's shop, or of the page that the payer sees. */
  readonly requestor_url: string;
  /** What the merchant said of payer and browser (contract 4.2). */
  readonly body: Readonly<Record<string, unknown>>;
};

export type Enrolment =
  | {
      readonly kind: 'enrolled';
      /** The server's id of this authentication. */
      readonly server_id: string;
      readonly version: Version;
      /** The bank wants to see the browser before it is asked; null: it does not. */
      readonly method_url: string | null;
    }
  | { readonly kind: 'not_enrolled' | 'unreachable' | 'broken' };

/** In the order of our preference. */
export const VERSIONS = ['2.3.1', '2.2.0'] as const;
export type Version = (typeof VERSIONS)[number];

/** Did the bank see the browser before it was asked (threeDSCompInd)? */
export type MethodSeen = 'Y' | 'N' | 'U';

/** Evidence for the authorization. The value is used once, unchanged. */
export type Proof = {
  readonly trans_status: 'Y' | 'A';
  readonly version: Version;
  readonly eci: string;
  readonly authentication_value: string;
  readonly ds_transaction_id: string;
};

export type Authenticated =
  | { readonly kind: 'authenticated'; readonly proof: Proof }
  /** The payer must act; without an address the bank reaches the payer by itself. */
  | { readonly kind: 'challenge'; readonly acs_url: string | null; readonly acs_transaction_id: string }
  | { readonly kind: 'rejected' | 'information' | 'not_enrolled' | 'unreachable' | 'broken' | 'declined' }
  | { readonly kind: 'left' | 'timed_out' };

/** A message that the server sends by itself: how a challenge ended. */
export type AuthenticationMessage = {
  readonly event_ref: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly authentication_id: string;
  readonly server_id: string;
  readonly result: Authenticated;
};

/** A step of the server's table, with what fills it. */
export type Question = {
  readonly step: string;
  readonly values: Readonly<Record<string, string>>;
  readonly body: Template;
  readonly deadline_ms: number;
};

export type Authenticator = {
  readonly name: string;
  /** Where its steps are sent (provider/send). */
  readonly destination: string;
  readonly display_name: string;
  /** All calls before the payer acts, in seconds (contract 10.1: awaited 10 s). */
  readonly answer_deadline_s: number;
  enrol(facts: AuthenticationFacts): Question;
  readEnrolment(answer: Answer): Enrolment;
  authenticate(facts: AuthenticationFacts, about: Asking): Question;
  readAuthentication(answer: Answer, about: Asking): Authenticated;
  /** How a challenge ended; undefined while it goes on. */
  inquire(server_id: string): Question;
  readInquiry(answer: Answer, server_id: string): Authenticated | undefined;
  /** Its word on its own; undefined: no message on an authentication. Never throws. */
  readMessage(body: Uint8Array): AuthenticationMessage | undefined;
  /** Of such a message; its secret is the deployment's, not a contract's. */
  proofOf(raw: Uint8Array, headers: Readonly<Record<string, string | undefined>>): SignatureRecipe;
  /** Headers that the proof looks at, in lower case. */
  readonly proof_headers: readonly string[];
  /** The form that brings the payer's browser to the bank, as the value of its field `creq`. */
  challengeRequest(about: {
    readonly server_id: string;
    readonly acs_transaction_id: string;
    readonly version: Version;
  }): string;
  /** The form that lets the bank see the browser, as the value of its field `threeDSMethodData`. */
  methodRequest(about: { readonly server_id: string; readonly notification_url: string }): string;
};

export type Asking = { readonly server_id: string; readonly version: Version; readonly method: MethodSeen };
