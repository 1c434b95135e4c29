// Messages that a provider sends by itself, as data: each item has a proof, and names the operation that it means.
import type { ResultName } from '../core/results.ts';
import type { OperationKind, Outcome } from './contract.ts';

/**
 * How a signature is checked. The provider file says which values must be equal; the kit computes them with the
 * contract's secrets, and compares in constant time.
 */
export type SignatureRecipe =
  | {
      readonly kind: 'hmac';
      /** Name of the credential, of use `check`. */
      readonly secret: string;
      readonly secret_form: 'text' | 'hex';
      readonly over: Uint8Array;
      /** Any one of them is enough: the provider may sign with two keys while one replaces the other. */
      readonly given: readonly string[];
      readonly given_form: 'hex' | 'base64';
      /** Milliseconds since 1970, as signed, and how far from now it may be. */
      readonly at_ms?: number;
      readonly tolerance_s?: number;
    }
  /**
   * RSA with SHA-256 under the certificate at `url`, whose host is `host` of the operator's file: the chain is checked,
   * the bytes are cached. A part of what is signed may be a credential, which a provider's folder never holds.
   */
  | {
      readonly kind: 'certificate';
      readonly url: string;
      readonly host: string;
      readonly over: readonly (string | { readonly secret: string })[];
      readonly given: string;
    };

/**
 * Which operation a message means, tried in this order: ours, its own reference, the authorization's with kind and
 * amount.
 */
export type Match = {
  readonly kind: Exclude<OperationKind, 'inquiry'>;
  readonly ours: { readonly order_id: string; readonly operation_id: string } | null;
  readonly reference: string | null;
  readonly authorization_reference: string | null;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
};

/** A match by nothing: a message adds what it names. */
export const NOT_NAMED = {
  ours: null,
  reference: null,
  authorization_reference: null,
  amount_minor: null,
  currency: null,
} as const satisfies Omit<Match, 'kind'>;

/** The payer's bank takes a captured amount back, gives that up, or has it for good. */
export type Dispute = {
  readonly kind: 'dispute';
  readonly state: 'opened' | 'won' | 'lost';
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly reason: string;
  readonly reason_code: string;
  /** The time of the event at the provider, ISO 8601. */
  readonly at: string;
  /** The provider's own id of the dispute, if it tells one. */
  readonly reference?: string;
  /** The date until which the dispute must be answered, ISO 8601, if the provider tells it. */
  readonly due_at?: string;
  /**
   * For an open dispute the message tells the reason, or how it ended; it opens no dispute, and takes no money away.
   */
  readonly opens_none?: true;
  /** Has the provider evidence against it, or had it none when its time was over? Absent: it does not say. */
  readonly evidence?: 'given' | 'none';
};

/**
 * What a message says that is not believed by itself. Where that is against an end, the provider is asked. `undone`:
 * what was held is not held any more; `lapsed`: by itself. `captured`: what was held is captured, in whole or in part.
 */
export type Hearsay = 'done' | 'not_done' | 'undone' | 'lapsed' | 'captured';

export type News =
  | Outcome
  /** Something happened; an inquiry says what. */
  | { readonly kind: 'look'; readonly says?: Hearsay }
  /** A capture or refund that was reported done failed later. */
  | { readonly kind: 'corrected'; readonly result: ResultName; readonly reference: string | null }
  /** The authorization ended by itself. */
  | { readonly kind: 'lapsed' }
  | Dispute
  /** A known event that means nothing to us. */
  | { readonly kind: 'nothing' }
  /** An unknown event: it is stored and shown, never dropped. */
  | { readonly kind: 'not_understood' };

/** One request may carry several items; each is proved, stored and applied on its own. */
export type Notice = {
  /** The id of the event: the same for every delivery, and unique within a contract. */
  readonly event_ref: string;
  readonly proof: SignatureRecipe;
  /** Credential → text that must equal it: the message is of this contract's account. */
  readonly of: Readonly<Record<string, string>>;
  readonly match: Match | null;
  readonly news: News;
};

export type Notices = {
  /** Never throws. Empty: no message of this provider at all. */
  open(raw: Uint8Array, headers: Readonly<Record<string, string | undefined>>): readonly Notice[];
  /**
   * Headers that `open` looks at, in lower case. It is called again with the stored bytes and none of them: only proofs
   * may hang on them.
   */
  readonly headers: readonly string[];
  /** The answer to a message that was accepted. */
  readonly accepted: { readonly status: number; readonly body: string };
};
