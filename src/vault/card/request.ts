// What POST /token was asked with (contract 6.1). Reads every problem at once; the number and the cvc leave as bytes.
import { type Scheme, SCHEMES, SCHEME_NAMES, luhn, schemesOf } from '../../core/card.ts';
import { id24, oneOf, text, textOf, token64 } from '../../core/fields.ts';
import { Reading, type Shape, readShape, shapeSchema } from '../../core/shape.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { refuseProblems } from '../../core/refusals.ts';

export type TokenRequest = {
  readonly number: Buffer;
  readonly cvc: Buffer | undefined;
  readonly holder: Buffer;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly schemes: readonly Scheme[];
  readonly scheme: Scheme;
  readonly token_type: 'oneshot' | 'recurring';
  readonly checkout_id: string | undefined;
};

const PLAIN = {
  customer_scheme_name: oneOf(...SCHEME_NAMES),
  token_type: oneOf('oneshot', 'recurring'),
  token_kind: oneOf('card', 'psp_token'),
  checkout_id: id24,
} as const satisfies Shape;

/** Read here, by hand: the shape of a card is no business of the shared field types. */
const CARD_FIELDS = ['card_number', 'card_validity_month', 'card_validity_year', 'cvc', 'cardholder_name'] as const;

export const TOKEN_SCHEMA = shapeSchema(
  {
    card_number: text(37),
    card_validity_month: text(2),
    card_validity_year: text(4),
    cvc: text(4),
    cardholder_name: text(100),
    token: token64,
    ...PLAIN,
  },
  'The card to tokenize. cvc is required with a public key, except for maestro and bancontact.',
);

type Present = { readonly year: number; readonly month: number };

/** Reads the request, or throws every problem at once. `key` decides whether the cvc is required. */
export function readTokenRequest(object: JsonObject, key: 'private' | 'public', today: Present): TokenRequest {
  const reading = new Reading(false);
  const given = (name: (typeof CARD_FIELDS)[number]) => valueOf(object.get(name));
  const number = readNumber(given('card_number'), reading);
  const schemes = number ? schemesOf(number) : [];
  const month = readMonth(given('card_validity_month'), reading);
  const year = readYear(given('card_validity_year'), reading, today.year);
  if (month !== undefined && year !== undefined && (year < today.year || (year === today.year && month < today.month)))
    reading.refuse('card_validity_year', 'is in the past', 'card_expired');
  const cvc = readCvc(given('cvc'), { reading, schemes, required: key === 'public' });
  const holder = readHolder(given('cardholder_name'), reading);
  const rest: JsonObject = new Map([...object].filter(([name]) => !CARD_FIELDS.some((field) => field === name)));
  const plain = readShape(PLAIN, rest, { reading });
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  const [bin_scheme] = schemes;
  if (!number || month === undefined || year === undefined || !bin_scheme) throw new Error('the card was checked');
  const wanted = plain.customer_scheme_name;
  return {
    number,
    cvc,
    holder: Buffer.from(holder),
    exp_month: month,
    exp_year: year,
    schemes,
    scheme: wanted !== undefined && schemes.includes(wanted) ? wanted : bin_scheme,
    token_type: plain.token_type ?? 'oneshot',
    checkout_id: plain.checkout_id,
  };
}

/** Names that a token request does not have, in body order. */
export function unknownNames(object: JsonObject): readonly string[] {
  const known = new Set<string>([...CARD_FIELDS, ...Object.keys(PLAIN)]);
  return [...object.keys()].filter((name) => !known.has(name));
}

function valueOf(value: JsonValue | undefined): JsonValue | undefined {
  return value === null || value === '' ? undefined : value;
}

/** 14 to 19 digits; spaces and hyphens between digits are dropped; Luhn and a supported range. */
function readNumber(value: JsonValue | undefined, reading: Reading): Buffer | undefined {
  if (value === undefined) return reading.refuse('card_number', 'is required', 'parameter_missing');
  if (typeof value !== 'string')
    return reading.refuse(
      'card_number',
      'must be a text of digits: a JSON number would lose some',
      'card_data_invalid',
    );
  if (!/^\d(?:[ -]*\d){13,18}$/.test(value))
    return reading.refuse('card_number', 'must be 14 to 19 digits', 'card_number_invalid');
  const digits = Buffer.allocUnsafeSlow(19);
  let length = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) digits[length++] = code;
  }
  const number = digits.subarray(0, length);
  if (!luhn(number))
    return reading.refuse('card_number', 'is mistyped: its check digit does not fit', 'card_number_invalid');
  return schemesOf(number).length > 0
    ? number
    : reading.refuse('card_number', 'is of no supported scheme', 'card_number_invalid');
}

function readMonth(value: JsonValue | undefined, reading: Reading): number | undefined {
  const month = readDigits(value, reading, MONTH);
  return month === undefined ? undefined : Number(month);
}

function readYear(value: JsonValue | undefined, reading: Reading, this_year: number): number | undefined {
  const digits = readDigits(value, reading, YEAR);
  if (digits === undefined) return undefined;
  const year = digits.length === 2 ? Math.trunc(this_year / 100) * 100 + Number(digits) : Number(digits);
  return year > this_year + 20
    ? reading.refuse('card_validity_year', 'is more than 20 years ahead', 'card_data_invalid')
    : year;
}

const MONTH = { name: 'card_validity_month', form: /^(?:0?[1-9]|1[0-2])$/, says: 'must be 01 to 12' };
const YEAR = { name: 'card_validity_year', form: /^\d{2}(?:\d{2})?$/, says: 'must be two or four digits' };

function readDigits(value: JsonValue | undefined, reading: Reading, part: typeof MONTH): string | undefined {
  if (value === undefined) return reading.refuse(part.name, 'is required', 'parameter_missing');
  const digits = textOf(value);
  if (digits !== undefined && part.form.test(digits)) return digits;
  return reading.refuse(part.name, part.says, 'card_data_invalid');
}

type CvcRules = { readonly reading: Reading; readonly schemes: readonly Scheme[]; readonly required: boolean };

function readCvc(value: JsonValue | undefined, { reading, schemes, required }: CvcRules): Buffer | undefined {
  const [scheme] = schemes;
  if (value === undefined) {
    if (required && (!scheme || SCHEMES[scheme].cvc_required))
      reading.refuse('cvc', 'is required', 'parameter_missing');
    return undefined;
  }
  const length = scheme ? SCHEMES[scheme].cvc : undefined;
  if (typeof value !== 'string' || !/^\d{3,4}$/.test(value) || (length !== undefined && value.length !== length))
    return reading.refuse('cvc', `must be a text of ${length ?? '3 or 4'} digits`, 'card_data_invalid');
  const digits = Buffer.allocUnsafeSlow(value.length);
  digits.write(value, 'latin1');
  return digits;
}

function readHolder(value: JsonValue | undefined, reading: Reading): string {
  if (value === undefined) return '';
  const holder = text(100).read(value, 'cardholder_name', reading);
  if (holder !== undefined && /\d{12}/.test(holder.replace(/[ -]/g, '')))
    reading.refuse('cardholder_name', 'holds what looks like a card number', 'card_data_invalid');
  return holder ?? '';
}
