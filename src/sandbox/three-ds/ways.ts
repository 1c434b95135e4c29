// The meaning of a card number at the simulated directory and bank (contract 15.1 to 15.3). It is looked up once, at
// the first request about the card; the way is kept, never the number.
import { createHash } from 'node:crypto';
import { luhn } from '../../core/card.ts';
import { type ResultName, findResult } from '../../core/results.ts';
import { CODE_NUMBER } from '../faults/behaviour.ts';
import { VERSIONS, type Version } from './versions.ts';

/** The ways in which an authentication can go. */
export const WAYS = [
  /** Below 1000 major units without a challenge, from 1000 on with one. */
  'by_amount',
  'challenge',
  /** A challenge, until the card has authenticated here once and pays again as a recurring one. */
  'challenge_once',
  'frictionless',
  /** Without a challenge if the request describes the browser, else with one. */
  'browser_data',
  'attempted',
  'unavailable',
  'refused',
  /** A challenge whose page never answers. */
  'silent',
  /** A challenge that the payer leaves at once. */
  'left',
  /** The bank answers yes, but gives no proof. */
  'contradictory',
  /** The answer says only that it is declined, as outside servers answer. */
  'declined',
  'not_enrolled',
  'directory_down',
] as const;
export type Way = (typeof WAYS)[number];

const OF_NUMBER: Readonly<Record<string, Way>> = {
  '4000002760003184': 'challenge',
  '4000000000003220': 'challenge',
  '4000008260003178': 'challenge',
  '4000008400001629': 'challenge',
  '4000002500003155': 'challenge_once',
  '4000000000003055': 'frictionless',
  '5300000000000006': 'browser_data',
  '4000008400001280': 'directory_down',
  '4000009907000015': 'not_enrolled',
  '4000009907000049': 'unavailable',
  '4000009907000023': 'silent',
  '4000009907000031': 'attempted',
};

const OF_RESULT: Partial<Readonly<Record<ResultName, Way>>> = {
  authentication_declined: 'declined',
  authentication_timed_out: 'silent',
  authentication_failed: 'contradictory',
  card_not_enrolled: 'not_enrolled',
  acs_unreachable: 'unavailable',
  authentication_incorrect: 'refused',
  payer_left_authentication: 'left',
};

/** The way for a number. Codes of other phases end elsewhere, so such a card authenticates like any other. */
export function wayOf(number: string): Way {
  const code = CODE_NUMBER.exec(number)?.[1];
  const row = code === undefined || !luhn(Buffer.from(number, 'latin1')) ? undefined : findResult(code);
  return OF_NUMBER[number] ?? wayToEnd(row?.name) ?? 'by_amount';
}

/** The way that ends with this result; undefined if there is none. */
export const wayToEnd = (name: ResultName | undefined): Way | undefined =>
  name === undefined ? undefined : OF_RESULT[name];

/** Numbers that also support 2.3.1: three of contract 15.2, and those of 15.3 about authentication. */
const NEWER = /^(?:4000000000003220|4111111111111111|5454545454545454|4000009907\d{6}|4000009993\d{6})$/;

export const versionsOf = (number: string): readonly Version[] => (NEWER.test(number) ? VERSIONS : ['2.2.0']);

/** A bank that always requires a challenge looks at the browser first. */
export const hasMethod = (way: Way): boolean => way === 'challenge' || way === 'challenge_once';

/**
 * Tells cards of one merchant account apart without revealing their numbers: it has 24 bits, which very many numbers
 * share. A simulated bank has to recognise a card, but the journal must not lead back to a number.
 */
export function cardMark(merchant_account_id: string, number: string): string {
  return createHash('sha256').update(`${merchant_account_id} ${number}`).digest('hex').slice(0, 6);
}
