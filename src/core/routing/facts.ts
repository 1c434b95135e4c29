// What a routing rule may ask of a payment, and which of it is known when the contract is chosen.
import { SCHEME_NAMES } from '../card.ts';
import { country, currency, oneOf, text, withoutCard } from '../fields.ts';
import { FUNDINGS } from '../origin/origins.ts';
import { COMPARED } from '../risk/rules.ts';
import type { Field } from '../shape.ts';

/** Facts that are one of a list of words, and how a word of it is written. */
export const WORD_FACTS = {
  ...Object.fromEntries(COMPARED.map((name) => [name, name.endsWith('_country') ? country : withoutCard(text(255))])),
  currency,
  channel: oneOf('e-commerce', 'recurring', 'moto', 'pos'),
  operation_type: oneOf('authorize', 'direct_capture'),
  scheme: oneOf(...SCHEME_NAMES),
  token_type: oneOf('oneshot', 'recurring'),
  card_country: country,
  funding: oneOf(...FUNDINGS),
  issuer: text(100),
  region: oneOf('country', 'zone', 'other'),
  initiator: oneOf('payer', 'merchant'),
  occurrence: oneOf('first', 'later'),
  attempt: text(3),
  exemption: oneOf('low_value', 'corporate', 'trusted_beneficiary', 'risk_analysis'),
  three_ds: oneOf('authenticated', 'attempted', 'exempted', 'none'),
  eci: text(2),
  liability: oneOf('shifted', 'kept'),
} as const satisfies Readonly<Record<string, Field<string>>>;

/** Facts that are so or not. */
export const FLAG_FACTS = ['saved', 'foreign', 'subscription', 'marked', '3ds_data'] as const;
export type FlagFact = (typeof FLAG_FACTS)[number];

/** Not known when a contract is chosen: a rule that asks for one never matches, and the linter says so. */
export const UNKNOWN_FACTS: Readonly<Record<string, string>> = {
  region: 'the country of the merchant is not kept',
  occurrence: 'payments of a subscription are not numbered',
};

/**
 * Known once the payer's authentication has ended: where a rule asks for one of them, all rules are asked again then.
 */
export const AUTHENTICATION_FACTS = [
  'three_ds',
  'eci',
  'liability',
] as const satisfies readonly (keyof typeof WORD_FACTS)[];
export type AuthenticationFact = (typeof AUTHENTICATION_FACTS)[number];

/** Words are compared without regard to case and the space around them. */
export const plain = (word: string): string => word.trim().toLowerCase();

/** What is known of a payment. */
export type RouteFacts = {
  readonly amount_minor: bigint;
  readonly currency: string;
  /** When the attempt is accepted, in Unix milliseconds. */
  readonly at_ms: number;
  readonly first6: string | null;
  /** A word fact; undefined: it is not there. */
  word(name: string): string | undefined;
  /** The same as rules compare it (`plain`). */
  plainWord(name: string): string | undefined;
  flag(name: FlagFact): boolean;
  /** The value of a merchant_data key. */
  told(key: string): string | undefined;
};
