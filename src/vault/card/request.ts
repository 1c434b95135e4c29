// Reads the request of POST /token (contract 6.1), with every problem at once. Number, cvc and name stay bytes; the
// caller overwrites what is made here (`wipe`).
import { type Scheme, SCHEMES, SCHEME_NAMES, schemesOf } from '../../core/card.ts';
import { id24, oneOf, text, token64 } from '../../core/fields.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { sandboxCard } from '../../core/sandbox/cards.ts';
import { type Field, Reading, type Shape, shapeSchema } from '../../core/shape.ts';
import { privateCopy } from '../../kit/crypto.ts';
import {
  type Members,
  type Place,
  digitsOf,
  holdsLongRun,
  isAllDigits,
  plain,
  smallNumberOf,
  textBytes,
} from './byte-fields.ts';
import { holdsOwnNumber } from '../forward/scrub/own-number.ts';
import { type Numbers, wrongNumber } from './numbers.ts';
import type { JsonNode } from './json-bytes.ts';

export type TokenRequest = {
  readonly number: Buffer;
  readonly cvc: Buffer | undefined;
  /** A view of the body. */
  readonly holder: Buffer;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly schemes: readonly Scheme[];
  readonly scheme: Scheme;
  readonly token_type: 'oneshot' | 'recurring';
  readonly checkout_id: string | undefined;
  /** A number of the sandbox's lists (contract 15.2, 15.3). */
  readonly listed: boolean;
};

const CHOICES = {
  customer_scheme_name: oneOf(...SCHEME_NAMES),
  token_type: oneOf('oneshot', 'recurring'),
  token_kind: oneOf('card', 'psp_token', 'network_token', 'google_pay', 'apple_pay'),
  checkout_id: id24,
} as const satisfies Shape;

export const TOKEN_SCHEMA = shapeSchema(
  {
    card_number: text(37),
    card_validity_month: text(2),
    card_validity_year: text(4),
    cvc: text(4),
    cardholder_name: text(100),
    token: token64,
    // of wallet/keep-payload.ts and wallet/network-token.ts
    wallet_payload: text(8000),
    cryptogram: text(64),
    eci: text(2),
    ...CHOICES,
  },
  'The card to tokenize. cvc is required with a public key, except for maestro and bancontact.',
);

const KNOWN = new Set([
  'card_number',
  'card_validity_month',
  'card_validity_year',
  'cvc',
  'cardholder_name',
  ...Object.keys(CHOICES),
]);

export type Rules = {
  /** Decides whether the cvc is required. */
  readonly key: 'private' | 'public';
  readonly year: number;
  readonly month: number;
  readonly numbers: Numbers;
  /** Where it cannot be both. */
  readonly token_type?: Field<'oneshot'>;
};

/** Names that a card does not have, in body order; `more`: what it has besides. */
export function unknownNames(members: Members, more: readonly string[] = []): readonly string[] {
  return members.unknown(new Set([...KNOWN, ...more]));
}

/**
 * Reads a card, or throws every problem at once, with those that `reading` has already. The buffers of the answer are
 * the caller's to overwrite.
 */
export function readTokenRequest(members: Members, rules: Rules, reading = new Reading(false)): TokenRequest {
  const at = (name: string) => ({ name, reading });
  const number = readNumber(members.get('card_number'), rules, at('card_number'));
  const schemes = number ? schemesOf(number) : [];
  const { exp_month, exp_year } = readExpiry(members, rules, reading);
  const cvc = readCvc(members.get('cvc'), schemes, { ...at('cvc'), required: rules.key === 'public' });
  const holder = readHolder(members.get('cardholder_name'), at('cardholder_name'));
  if (number && holder && holdsOwnNumber(holder, number)) refuseNumber(at('cardholder_name'));
  const choices = readChoices(members, rules, reading);
  const refusal = refuseProblems(reading.problems);
  const [bin_scheme] = schemes;
  if (refusal || !number || exp_month === undefined || exp_year === undefined || !bin_scheme) {
    number?.fill(0);
    cvc?.fill(0);
    throw refusal ?? new Error('the card was checked');
  }
  const wanted = choices.customer_scheme_name;
  return {
    number,
    cvc,
    holder: holder ?? NOBODY,
    exp_month,
    exp_year,
    schemes,
    scheme: wanted !== undefined && schemes.includes(wanted) ? wanted : bin_scheme,
    token_type: choices.token_type ?? 'oneshot',
    checkout_id: choices.checkout_id,
    listed: sandboxCard(number) === 'listed',
  };
}

const NOBODY = Buffer.alloc(0);

/** Reads the fields in the order of their names here: problems are answered in the same order. */
function readChoices(members: Members, rules: Rules, reading: Reading) {
  const read = <T>(name: string, field: Parameters<typeof plain<T>>[1]) =>
    plain(members.get(name), field, { name, reading });
  return {
    customer_scheme_name: read('customer_scheme_name', CHOICES.customer_scheme_name),
    token_type: read('token_type', rules.token_type ?? CHOICES.token_type),
    token_kind: read('token_kind', CHOICES.token_kind),
    checkout_id: read('checkout_id', CHOICES.checkout_id),
  };
}

/** 14 to 19 digits; spaces and hyphens between digits are dropped; Luhn and a supported range. */
function readNumber(node: JsonNode | undefined, rules: Rules, { name, reading }: Place): Buffer | undefined {
  if (node === undefined) return reading.refuse(name, 'is required', 'parameter_missing');
  if (node.kind !== 'text')
    return reading.refuse(name, 'must be a text of digits: a JSON number would lose some', 'card_data_invalid');
  const number = digitsOf(node.bytes);
  if (!number) return reading.refuse(name, 'must be 14 to 19 digits', 'card_number_invalid');
  const wrong = wrongNumber(number, rules.numbers);
  if (wrong === undefined) return number;
  number.fill(0);
  return reading.refuse(name, wrong, 'card_number_invalid');
}

type Expiry = { readonly exp_month: number | undefined; readonly exp_year: number | undefined };

/** Month and year, two or four digits, not past and at most 20 years ahead. */
export function readExpiry(members: Members, today: Pick<Rules, 'year' | 'month'>, reading: Reading): Expiry {
  const exp_month = readMonth(members.get('card_validity_month'), reading);
  const exp_year = readYear(members.get('card_validity_year'), today.year, reading);
  const this_year = exp_year === today.year && exp_month !== undefined && exp_month < today.month;
  if (this_year || (exp_year !== undefined && exp_year < today.year))
    reading.refuse('card_validity_year', 'is in the past', 'card_expired');
  return { exp_month, exp_year };
}

function readMonth(node: JsonNode | undefined, reading: Reading): number | undefined {
  if (node === undefined) return reading.refuse('card_validity_month', 'is required', 'parameter_missing');
  const month = smallNumberOf(node);
  if (month && month.digits <= 2 && month.value >= 1 && month.value <= 12) return month.value;
  return reading.refuse('card_validity_month', 'must be 01 to 12', 'card_data_invalid');
}

function readYear(node: JsonNode | undefined, this_year: number, reading: Reading): number | undefined {
  if (node === undefined) return reading.refuse('card_validity_year', 'is required', 'parameter_missing');
  const written = smallNumberOf(node);
  if (written?.digits !== 2 && written?.digits !== 4)
    return reading.refuse('card_validity_year', 'must be two or four digits', 'card_data_invalid');
  const year = written.digits === 2 ? Math.trunc(this_year / 100) * 100 + written.value : written.value;
  return year > this_year + 20
    ? reading.refuse('card_validity_year', 'is more than 20 years ahead', 'card_data_invalid')
    : year;
}

/** In a buffer of its own. `schemes`: those of the card, as far as they are known. */
export function readCvc(
  node: JsonNode | undefined,
  schemes: readonly Scheme[],
  { name, reading, required }: Place & { readonly required: boolean },
): Buffer | undefined {
  const [scheme] = schemes;
  if (node === undefined) {
    if (required && (!scheme || SCHEMES[scheme].cvc_required)) reading.refuse(name, 'is required', 'parameter_missing');
    return undefined;
  }
  const length = scheme ? SCHEMES[scheme].cvc : undefined;
  const digits = node.kind === 'text' && isAllDigits(node.bytes) ? node.bytes : NOBODY;
  if (digits.length < 3 || digits.length > 4 || (length !== undefined && digits.length !== length))
    return reading.refuse(name, `must be a text of ${length ?? '3 or 4'} digits`, 'card_data_invalid');
  return privateCopy(digits);
}

/** A view of the body; undefined: none was given, or it is refused. */
export function readHolder(node: JsonNode | undefined, place: Place): Buffer | undefined {
  const holder = node && textBytes(node, 100, place);
  return holder && holdsLongRun(holder) ? refuseNumber(place) : holder;
}

function refuseNumber({ name, reading }: Place): undefined {
  return reading.refuse(name, 'holds what looks like a card number', 'card_data_invalid');
}
