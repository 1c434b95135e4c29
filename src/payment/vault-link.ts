// The only way from the money zone to the card zone: an interface with one implementation in the same process (given by
// main.ts) and, later, one over HTTPS. No card number crosses it, in either direction (vault.md 2).
import type { Scheme } from '../core/card.ts';
import type { Scope } from '../core/keys/scopes.ts';
import type { Template } from '../provider/contract.ts';

export type CardInfo = {
  readonly kind: 'oneshot' | 'recurring';
  /** The payer's choice or what the number says: the brand to pay with unless the order chooses another. */
  readonly scheme: Scheme;
  /** All brands the card carries. */
  readonly schemes: readonly Scheme[];
  /** Null, as the next five: what a partner's token came without. */
  readonly first6: string | null;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  /** What the money zone knows the card by, 64 hex: see card-digest.ts. */
  readonly card_digest: string | null;
  /** Whose token it is (contract 6.4): orders with it go to that partner only. Null, as the next: it is a card. */
  readonly partner: string | null;
  /** What the token was answered with: orders with it may name it (contract 11). */
  readonly subscription_id: string | null;
  readonly has_cvc: boolean;
  /** Sandbox only: the code that our own risk assessment is to give this number of the sandbox's lists. */
  readonly sandbox_risk?: string;
};

/** As the vault says it: with the id that /token answers, which is not kept outside of it. */
export type CardAnswer = Omit<CardInfo, 'card_digest'> & { readonly card_unique_id: string | null };

export type Forward = {
  readonly operation_id: string;
  readonly order_id: string;
  /** Of the request that began the operation: for the logs. */
  readonly request_id: string | null;
  readonly merchant_account_id: string;
  readonly token_hash: string;
  readonly checkout_id: string | null;
  /** The merchant's contract with the provider, whose credentials the vault fills in. Null: none is needed. */
  readonly contract_id: string | null;
  readonly destination: string;
  readonly route: string;
  readonly body: Template;
  readonly key: string;
  readonly deadline_ms: number;
};

export type ForwardAnswer = { readonly status: number; readonly body: Uint8Array };

export type Forwarded =
  | ({ readonly outcome: 'answered' } & ForwardAnswer)
  /** Proof that no byte of the body left. */
  | { readonly outcome: 'not_sent'; readonly reason: 'token' | 'refused' | 'credentials' | 'tombstone' | 'connect' }
  /** This operation was sent before; its stored answer where there is one. */
  | { readonly outcome: 'already_sent'; readonly answer?: ForwardAnswer }
  | { readonly outcome: 'unknown'; readonly reason: 'timeout' | 'closed' | 'unreadable' };

export type VaultKey = {
  /** As in core/ids.ts: of the hosted pages, whose fields the vault shows in its own pages alone, or of a merchant. */
  readonly id: string;
  readonly digest: string;
  readonly merchant_account_id: string;
  readonly kind: 'private' | 'public';
  readonly environment: string;
  /** What it may be used for; null: everything its kind may. */
  readonly scopes: readonly Scope[] | null;
  /** What the vault must know of the account's settings (contract 1.3). */
  readonly page_inputs: boolean;
  readonly registered_origins: readonly string[];
};

export type VaultLink = {
  /** Sends an operation with the card filled in, at most once for an authorization. */
  forward(forward: Forward): Promise<Forwarded>;
  /** After this, the operation can never be sent; tells what happened if it was. Idempotent and final. */
  tombstone(
    operation_id: string,
  ): Promise<{ readonly sent: false } | { readonly sent: true; readonly answer?: ForwardAnswer }>;
  /** The outcome of this operation is committed: its answer need not be kept. A hint; nothing hangs on its arrival. */
  settled(operation_id: string): void;
  /** A card that can be used now; undefined for every reason it cannot. */
  card(question: {
    token_hash: string;
    merchant_account_id: string;
    checkout_id: string | null;
  }): Promise<CardAnswer | undefined>;
  /**
   * Ends a token: no new order can use it. Its card is deleted, or, while an order under way still needs it, kept for that
   * order alone. Repeatable; true when nothing of the card is left.
   */
  remove(removal: { token_hash: string; merchant_account_id: string; still_needed: boolean }): Promise<boolean>;
  /** Makes the key known, or brings what is known of it up to date. */
  putApiKey(key: VaultKey): Promise<void>;
  removeApiKey(id: string): Promise<void>;
  /** Its database and its keys are there. */
  ready(): Promise<boolean>;
  /** From now on the account may bring tokens of this partner. */
  putPartner(merchant_account_id: string, name: string): Promise<void>;
  /** From now on these go with the contract's cards: all of them. False: the contract is not this account's at this provider. */
  keepCredentials(of: {
    contract_id: string;
    merchant_account_id: string;
    destination: string;
    values: Readonly<Record<string, string>>;
  }): Promise<boolean>;
  /** Moves the card zone's clock, and its process's, so far ahead of the real one. Never back, and never in production. */
  moveClock(shift_ms: number): Promise<void>;
};
