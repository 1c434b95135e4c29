// What the payment hosts and the vault's host ask of each other: one table for each direction. Each row gives the call,
// the route and their types, both within one process and over HTTPS. No card number crosses the link, in either
// direction.
import { SCHEME_NAMES } from '../card.ts';
import { DAY_MS } from '../durations.ts';
import { isCredential, isCredentialName, isId, isDeskKeyId, isPageKeyId, isToken } from '../ids.ts';
import { SCOPE_NAMES } from '../keys/scopes.ts';
import type { Link, Verb } from './verb.ts';
import { WALLET_VERBS } from './wallet-verbs.ts';
import {
  type Form,
  type FormOf,
  bytes,
  flag,
  list,
  maybe,
  nothing,
  numberFrom,
  object,
  only,
  orNull,
  since,
  text,
  textsByName,
  word,
} from './form.ts';

function verb<Q, A>(row: Verb<Q, A>): Verb<Q, A> {
  return row;
}

const id = text(isId);
const token_hash = text(isToken);
const merchant_account_id = id;
const short = text((given) => /^[\x21-\x7e]{1,64}$/.test(given));
const isValue = (given: string) => /^[A-Za-z0-9_-]{1,128}$/.test(given);
const any_text = text();

const ANSWER = object({ status: numberFrom(0, 999), body: bytes });

const FORWARD = object({
  deadline_ms: numberFrom(1, 120_000),
  operation_id: id,
  order_id: id,
  /** The id of the request that began the operation, for the logs. */
  request_id: since(orNull(id), null),
  merchant_account_id,
  token_hash,
  checkout_id: orNull(id),
  /** The merchant's contract with the provider, whose credentials the vault fills in. Null: none is needed. */
  contract_id: since(orNull(id), null),
  destination: short,
  /** The name of a step in the provider's table, and the values for its path. */
  step: short,
  values: textsByName(isCredentialName, isValue),
  key: short,
  /** Texts that are sent as they are, and slots that the vault fills in. */
  body: list(templatePart(), 200),
});

function templatePart(): Form<string | { readonly slot: string }> {
  const slot = object({ slot: short });
  return {
    read: (value, name) => (typeof value === 'string' ? value : slot.read(value, name)),
    write: (part) => part,
  };
}

export type Forward = FormOf<typeof FORWARD>;
export type ForwardAnswer = FormOf<typeof ANSWER>;

const NOT_SENT = object({ reason: word('token', 'refused', 'credentials', 'tombstone', 'connect') });
const UNKNOWN = object({ reason: word('timeout', 'closed', 'unreadable') });
const STORED = object({}, { answer: ANSWER });

export type Forwarded =
  | ({ readonly outcome: 'answered' } & ForwardAnswer)
  /** Proof that no byte of the body left. */
  | ({ readonly outcome: 'not_sent' } & FormOf<typeof NOT_SENT>)
  /** This operation was sent before; its stored answer where there is one. */
  | ({ readonly outcome: 'already_sent' } & FormOf<typeof STORED>)
  | ({ readonly outcome: 'unknown' } & FormOf<typeof UNKNOWN>);

const OUTCOME = object({ outcome: word('answered', 'not_sent', 'already_sent', 'unknown') });

const FORWARDED: Form<Forwarded> = {
  read: (value, name) => {
    const { outcome } = OUTCOME.read(value, name);
    if (outcome === 'answered') return { outcome, ...ANSWER.read(value, name) };
    if (outcome === 'not_sent') return { outcome, ...NOT_SENT.read(value, name) };
    if (outcome === 'already_sent') return { outcome, ...STORED.read(value, name) };
    return { outcome, ...UNKNOWN.read(value, name) };
  },
  write: (said) => {
    if (said.outcome === 'answered') return { ...said, body: bytes.write(said.body) };
    return said.outcome === 'already_sent' && said.answer ? { ...said, answer: ANSWER.write(said.answer) } : said;
  },
};

/** `answer`: the provider's, if it is stored. `sent_s`: seconds since it was sent; the version before does not say. */
const TOMBSTONE = object({ sent: flag }, { answer: ANSWER, sent_s: numberFrom(0, Infinity) });

const CARD = object(
  {
    kind: word('oneshot', 'recurring'),
    /** The payer's choice or what the number says: the brand to pay with unless the order chooses another. */
    scheme: word(...SCHEME_NAMES),
    /** All brands the card carries. */
    schemes: list(word(...SCHEME_NAMES), SCHEME_NAMES.length),
    /** Null, like the next four, if a partner's token came without it. */
    first6: orNull(any_text),
    last4: orNull(any_text),
    exp_month: orNull(numberFrom(0, 99)),
    exp_year: orNull(numberFrom(0, 9999)),
    /** As /token answers it; it is not stored outside of the vault. */
    card_unique_id: orNull(any_text),
    /** The partner of the token: orders with it go to this partner only. Null, like the next: it is a card. */
    partner: orNull(any_text),
    /** The subscription that /token answered; orders with this token may name it. */
    subscription_id: since(orNull(any_text), null),
    has_cvc: flag,
  },
  {
    /** Sandbox only: the code that our own risk assessment is to give this number of the sandbox's lists. */
    sandbox_risk: any_text,
    /** The card came from a wallet, or as a network token. */
    wallet: object({
      /** The number is a network token, and is used with a cryptogram. */
      is_network_token: flag,
      /** The amount that the payer approved, in minor units as digits; null: the wallet does not say. */
      approved_minor: orNull(text((given) => /^\d{1,20}$/.test(given))),
      approved_currency: orNull(text((given) => /^[A-Z]{3}$/.test(given))),
    }),
  },
);

export type CardAnswer = FormOf<typeof CARD>;

/**
 * Ids of keys, as in core/ids.ts: of the hosted pages (the vault shows their fields only in its own pages), of a back
 * office, or of a merchant.
 */
const key_id = text((given) => isId(given) || isPageKeyId(given) || isDeskKeyId(given));

/** One origin and nothing more, because it is copied into the policy of the field frame as it is. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/;

const API_KEY = object({
  id: key_id,
  digest: token_hash,
  merchant_account_id,
  kind: word('private', 'public'),
  environment: short,
  /** What the key may be used for; null: everything that its kind may. */
  scopes: since(orNull(list(word(...SCOPE_NAMES), SCOPE_NAMES.length)), null),
  /** The settings of the account that the vault needs. */
  page_inputs: since(flag, false),
  registered_origins: list(
    text((given) => given.length <= 270 && ORIGIN.test(given)),
    100,
  ),
});

const QUESTION_MS = 2000;
/** Ten years: more than a sandbox can be moved in one go. */
const MOST_MS = 10 * 366 * DAY_MS;

const both = ['payment', 'worker'] as const;
const payment = ['payment'] as const;
const ofToken = { path: '/internal/cards/:token_hash', peers: both, deadline_ms: QUESTION_MS } as const;
const ofKey = { path: '/internal/api_keys/:id', peers: payment, deadline_ms: QUESTION_MS } as const;

/** Keys come from the payment host alone; a worker sends and asks what recovery needs. */
export const VAULT_VERBS = {
  /** Sends an operation with the card filled in, at most once for an authorization. The deadline is the provider's. */
  forward: verb({
    method: 'PUT',
    path: '/internal/forwards/:operation_id',
    peers: both,
    deadline_ms: 0,
    request: FORWARD,
    answer: FORWARDED,
  }),
  /** After this, the operation can never be sent; tells what happened if it was. Idempotent and final. */
  tombstone: verb({
    method: 'PUT',
    path: '/internal/forwards/:operation_id/tombstone',
    peers: both,
    deadline_ms: 6000,
    request: object({ operation_id: id }),
    answer: TOMBSTONE,
  }),
  /**
   * The outcome of these operations is committed: their answers need not be kept. A hint; nothing hangs on its arrival.
   */
  settled: verb({
    method: 'PUT',
    path: '/internal/settled',
    peers: both,
    deadline_ms: QUESTION_MS,
    request: object({ operation_ids: list(id, 1000) }),
    answer: nothing,
  }),
  /** A card that can be used now; undefined for every reason it cannot. */
  card: verb({
    ...ofToken,
    method: 'PUT',
    request: object({ token_hash, merchant_account_id, checkout_id: orNull(id) }),
    answer: maybe(CARD),
  }),
  /**
   * Ends a token: no new order can use it. Its card is deleted, or, while an order under way still needs it, kept for
   * that order alone. Repeatable; true when nothing of the card is left.
   */
  remove: verb({
    ...ofToken,
    method: 'DELETE',
    request: object({ token_hash, merchant_account_id, still_needed: flag }),
    answer: only('gone', flag),
  }),
  /** Makes the key known, or brings what is known of it up to date. */
  putApiKey: verb({ ...ofKey, method: 'PUT', request: API_KEY, answer: nothing }),
  removeApiKey: verb({ ...ofKey, method: 'DELETE', request: object({ id: key_id }), answer: nothing }),
  /** Answers if the vault reaches its database and has its keys. */
  ready: verb({
    method: 'GET',
    path: '/internal/ready',
    peers: both,
    deadline_ms: 1000,
    request: object({}),
    answer: only('ready', flag),
  }),
  /** From now on the account may bring tokens of this partner. */
  putPartner: verb({
    method: 'PUT',
    path: '/internal/partners/:merchant_account_id/:name',
    peers: payment,
    deadline_ms: QUESTION_MS,
    request: object({ merchant_account_id, name: short }),
    answer: nothing,
  }),
  /**
   * From now on these go with the contract's cards: all of them. False: the contract is not this account's at this
   * provider.
   */
  keepCredentials: verb({
    method: 'PUT',
    path: '/internal/contracts/:contract_id/credentials',
    peers: payment,
    deadline_ms: QUESTION_MS,
    request: object({
      contract_id: id,
      merchant_account_id,
      destination: short,
      values: textsByName(isCredentialName, isCredential),
    }),
    answer: only('kept', flag),
  }),
  ...WALLET_VERBS,
  /**
   * Moves the card zone's clock, and its process's, so far ahead of the real one. Never back, and never in production.
   */
  moveClock: verb({
    method: 'PUT',
    path: '/internal/clock',
    peers: both,
    deadline_ms: QUESTION_MS,
    request: object({ shift_ms: numberFrom(-MOST_MS, MOST_MS) }),
    answer: nothing,
  }),
};

const vault = ['vault'] as const;

export const PAYMENT_VERBS = {
  /**
   * The one question the vault asks, before it binds a token to a checkout. It waits no longer, and the order checks
   * again.
   */
  checkoutState: verb({
    method: 'GET',
    path: '/internal/checkouts/:checkout_id/:merchant_account_id',
    peers: vault,
    deadline_ms: 1000,
    request: object({ checkout_id: id, merchant_account_id }),
    answer: only('state', word('open', 'closed')),
  }),
  /** A key was used at the vault; `in_page`: a browser brought it, and it is a private one. A hint. */
  keyUsed: verb({
    method: 'PUT',
    path: '/internal/key_uses/:merchant_account_id/:digest',
    peers: vault,
    deadline_ms: 1000,
    request: object({ merchant_account_id, digest: token_hash, in_page: since(flag, false) }),
    answer: nothing,
  }),
};

export type VaultLink = Link<typeof VAULT_VERBS>;
export type PaymentLink = Link<typeof PAYMENT_VERBS>;
