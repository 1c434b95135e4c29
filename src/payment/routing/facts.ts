// The facts of an attempt that rules may ask for, from its order and its card; and the number that is drawn for it.
import type { KeyObject } from 'node:crypto';
import type { CardOrigin } from '../../core/origin/origins.ts';
import type { ExperimentInForce, Group } from '../../core/routing/experiment.ts';
import { type AuthenticationFact, type FlagFact, type RouteFacts, plain } from '../../core/routing/facts.ts';
import type { Drawing, World } from '../../core/routing/route.ts';
import { BASIS_POINTS } from '../../core/routing/table.ts';
import { deriveKey, hmacOften } from '../../kit/crypto.ts';
import { INITIATOR_WORDS, initiatorOf } from '../order-rules/initiator.ts';
import { textOf, told } from '../order-texts.ts';

/** An attempt, as it is accepted or as it is stored. */
export type RoutedAttempt = {
  /** The order's fields with its checkout's under them. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly at: Date;
  readonly scheme: string;
  readonly first6: string | null;
  /** Null: it was made without one. */
  readonly checkout_id: string | null;
  readonly token_type: string;
  /** Paid with a token of the provider's own. */
  readonly foreign: boolean;
  /** A risk rule has marked it. */
  readonly marked: boolean;
  readonly attempt: number;
  /**
   * The card's origin from the BIN table. The table changes, so a fact that a rule asks for is stored with the attempt.
   */
  readonly origin: CardOrigin;
  /** How it ended; undefined: it is still to come, or was made elsewhere. */
  readonly authentication: Readonly<Partial<Record<AuthenticationFact, string>>> | undefined;
};

type Ended = {
  /** Y or A. */
  readonly trans_status: string;
  readonly eci: string | null;
  readonly liability_shifted: boolean;
};

/** The facts of an authentication with a proof that rules may ask for. */
export function authenticationFacts({ trans_status, eci, liability_shifted }: Ended): RoutedAttempt['authentication'] {
  return {
    three_ds: trans_status === 'Y' ? 'authenticated' : 'attempted',
    ...(eci !== null && { eci }),
    liability: liability_shifted ? 'shifted' : 'kept',
  };
}

/** There was none, or it has left nothing. */
export function unauthenticated(body: RoutedAttempt['body']): RoutedAttempt['authentication'] {
  return { three_ds: textOf(body['sca_exemption_reason']) === undefined ? 'none' : 'exempted', liability: 'kept' };
}

/** Facts of the BIN table, which is imported anew now and then. */
export const ORIGIN_FACTS = { card_country: 'country', issuer: 'issuer', funding: 'funding' } as const;

const FIELDS: Readonly<Record<string, string>> = { channel: 'payment_channel', exemption: 'sca_exemption_reason' };

/** Words that are no member of the order, or not always one. */
const WORDS: Readonly<Record<string, (attempt: RoutedAttempt) => string | undefined>> = {
  currency: ({ currency }) => currency,
  scheme: ({ scheme }) => scheme || undefined,
  token_type: ({ token_type }) => token_type,
  attempt: ({ attempt }) => String(attempt),
  channel: ({ body }) => textOf(body['payment_channel']) ?? 'e-commerce',
  initiator: (attempt) => INITIATOR_WORDS[initiatorOf(attempt)],
  card_country: ({ origin }) => origin.country ?? undefined,
  issuer: ({ origin }) => origin.issuer ?? undefined,
  funding: ({ origin }) => origin.funding ?? undefined,
  three_ds: ({ authentication }) => authentication?.three_ds,
  eci: ({ authentication }) => authentication?.eci,
  liability: ({ authentication }) => authentication?.liability,
  // a list: what is in it is asked for by its keys, this says only that there is one
  merchant_data: ({ body }) => (Array.isArray(body['merchant_data']) ? 'told' : undefined),
};

const FLAGS: Readonly<Record<FlagFact, (attempt: RoutedAttempt) => boolean>> = {
  saved: ({ token_type }) => token_type === 'recurring',
  foreign: ({ foreign }) => foreign,
  subscription: ({ body }) => textOf(body['subscription_id']) !== undefined,
  marked: ({ marked }) => marked,
  '3ds_data': ({ body }) => body['3ds_data'] !== undefined,
};

export function factsOf(attempt: RoutedAttempt): RouteFacts {
  const { body, amount_minor, currency, first6 } = attempt;
  const word = (name: string) =>
    Object.hasOwn(WORDS, name) ? WORDS[name]?.(attempt) : textOf(body[FIELDS[name] ?? name]);
  // many rules ask for the same
  const asked = new Map<string, string | undefined>();
  return {
    amount_minor,
    currency,
    at_ms: attempt.at.getTime(),
    first6,
    word,
    plainWord: (name) => {
      const known = asked.get(name);
      if (known !== undefined || asked.has(name)) return known;
      const said = word(name);
      const now = said === undefined ? undefined : plain(said);
      asked.set(name, now);
      return now;
    },
    flag: (name) => FLAGS[name](attempt),
    told: (key) => told(body, key),
  };
}

export type Drawn = {
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly customer_id: string | null;
  readonly card_digest: string | null;
  readonly attempt: number;
};

type Hashing = (text: string) => string;

const HASHED = new WeakMap<KeyObject, Hashing>();
const BITS = 48;

/** The first 48 bits of an HMAC: equal for the same subject and rule wherever and whenever it is asked. */
export function drawerOf(secret_key: KeyObject, subject: Drawn): World['draw'] {
  return ({ rule, since, by, what }: Drawing) =>
    drawOf(secret_key, [what ?? 'route', subject.merchant_account_id, rule, since, ...subjectOf(subject, by)]);
}

/** Which group of an experiment it is of: an order with all its attempts is of one. */
export function groupOf(
  secret_key: KeyObject,
  subject: Drawn,
  { number, subject: by, share }: Pick<ExperimentInForce, 'number' | 'subject' | 'share'>,
): Group {
  const of = subjectOf({ ...subject, attempt: 0 }, by);
  const drawn = drawOf(secret_key, ['experiment', subject.merchant_account_id, number, ...of]);
  return drawn * BASIS_POINTS < share ? 'b' : 'a';
}

function drawOf(secret_key: KeyObject, words: readonly unknown[]): number {
  return Number.parseInt(hashedBy(secret_key)(words.join('\0')).slice(0, BITS / 4), 16) / 2 ** BITS;
}

/** An order is drawn for anew with each attempt; a customer or a card stays where it is. */
function subjectOf({ order_id, customer_id, card_digest, attempt }: Drawn, by: Drawing['by']): readonly unknown[] {
  const sticky = by === 'customer' ? customer_id : by === 'card' ? card_digest : null;
  return sticky === null ? ['order', order_id, attempt] : [by, sticky];
}

function hashedBy(secret_key: KeyObject): Hashing {
  const known = HASHED.get(secret_key);
  if (known) return known;
  const made = hmacOften(deriveKey(secret_key, 'florin', 'route draws'));
  HASHED.set(secret_key, made);
  return made;
}
