// The types of the contract's fields (2.2): lenient in, strict out. One value per field type: it reads what a caller
// sent, says what is wrong, and carries its own JSON Schema, so that validation, TypeScript types and openapi.json have
// one source.
import { CARD_NUMBER_HELD, holdsCardNumber, withCardNumbersMasked } from './card.ts';
import { readDate, readDatetime } from './dates.ts';
import { isId, isToken } from './ids.ts';
import { JsonNumber, type JsonValue, plainJson } from './json.ts';
import { CURRENCIES, NO_AMOUNT, readDecimal } from './money.ts';
import { type Refusal, refuseField } from './refusals.ts';
import type { Field, JsonSchema } from './shape.ts';

type Reader<T> = Field<T>['read'];
const field = <T>(schema: JsonSchema, read: Reader<T>): Field<T, false> => ({ schema, read, required: false });

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const CONTROL_BUT_BREAKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** Zeros behind the point change no integer: so JSON Schema has it, and so floating numbers are written. */
const INTEGER = /^(-?(?:0|[1-9][0-9]{0,15}))(?:\.0+)?$/;

/** The text of a JSON string, or of an integer within ±(2^53−1), or undefined. */
function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  const digits = value instanceof JsonNumber ? INTEGER.exec(value.text)?.[1] : undefined;
  return Number.isSafeInteger(Number(digits)) ? digits : undefined;
}

/** text(n): 1 to n code points, no control characters; `lines` allows tab and line feed. */
export function text(max: number, lines: 'one' | 'many' = 'one'): Field<string, false> {
  return field({ type: ['string', 'integer', 'null'], maxLength: max }, (value, name, reading) => {
    const read = textOf(value);
    if (read === undefined) return reading.refuse(name, 'must be a text');
    if (!read.isWellFormed()) return reading.refuse(name, 'is not valid Unicode');
    if ((lines === 'one' ? CONTROL : CONTROL_BUT_BREAKS).test(read))
      return reading.refuse(name, 'holds a control character');
    if (read.length > max && [...read].length > max) return reading.refuse(name, `is longer than ${max} characters`);
    return read;
  });
}

/** A text without a card number: where a person has a card at hand, it ends up in the nearest field. */
export function withoutCard(any: Field<string, false>): Field<string, false> {
  return {
    ...any,
    read: (value, name, reading) => {
      const read = any.read(value, name, reading);
      return read !== undefined && holdsCardNumber(read) ? reading.refuse(name, CARD_NUMBER_HELD) : read;
    },
  };
}

/**
 * Words of a merchant or payer, such as a name: a payment does not fail by a card number that was typed into them, and
 * the number is not kept (contract 2.2).
 */
export function words(any: Field<string, false>): Field<string, false> {
  return {
    ...any,
    read: (value, name, reading) => {
      const read = any.read(value, name, reading);
      return read === undefined ? read : withCardNumbersMasked(read);
    },
  };
}

/** A text that must also match a pattern; `what` says in words what is expected. */
export function textOfForm(pattern: RegExp, what: string, schema: JsonSchema = {}): Field<string, false> {
  return field({ type: ['string', 'integer', 'null'], ...schema }, (value, name, reading) => {
    const read = textOf(value);
    return read !== undefined && pattern.test(read) ? read : reading.refuse(name, `must be ${what}`);
  });
}

/** int(a..b): a JSON integer or a text of digits. */
export function int(from: number, to: number): Field<number, false> {
  const schema = { type: ['integer', 'string', 'null'], minimum: from, maximum: to, pattern: '^[0-9]{1,16}$' };
  return field(schema, (value, name, reading) => {
    const read = textOf(value);
    if (read === undefined || !/^-?[0-9]{1,16}$/.test(read)) return reading.refuse(name, 'must be a whole number');
    const number = Number(read);
    return number >= from && number <= to ? number : reading.refuse(name, `must be from ${from} to ${to}`);
  });
}

/** int(a..b) where the base specification answers a string (color_depth, max_attempts). */
export function intText(from: number, to: number): Field<string, false> {
  const number = int(from, to);
  return field(number.schema, (value, name, reading) => number.read(value, name, reading)?.toString());
}

export const bool: Field<boolean, false> = field(
  { enum: [true, false, 'true', 'false', null] },
  (value, name, reading) => {
    if (value === true || value === 'true') return true;
    return value === false || value === 'false' ? false : reading.refuse(name, 'must be true or false');
  },
);

function amount(zero: 'refused' | 'allowed'): Field<string, false> {
  const limit =
    zero === 'refused'
      ? { exclusiveMinimum: 0, pattern: '^(?:[1-9][0-9]*(?:\\.[0-9]+)?|0\\.[0-9]*[1-9][0-9]*)$' }
      : { minimum: 0, pattern: '^(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$' };
  const schema = {
    type: ['number', 'string', 'null'],
    ...limit,
    description: 'Major units, as a number or as decimal text',
    examples: ['11.30'],
  };
  return field(schema, (value, name, reading) => {
    const written = value instanceof JsonNumber ? value.text : value;
    if (typeof written !== 'string') return reading.refuse(name, NO_AMOUNT);
    const read = readDecimal(written, zero);
    if ('problem' in read) return reading.refuse(name, read.problem);
    reading.amounts.push({ field: name, decimal: read.decimal });
    return read.decimal;
  });
}

/** money: canonical decimal text; its decimals are checked by Reading.checkAmounts once the currency is known. */
export const money = amount('refused');
/** money0: zero allowed. */
export const money0 = amount('allowed');

export function oneOf<const V extends string>(...values: readonly [V, ...V[]]): Field<V, false> {
  const known = new Map<string, V>(values.map((value) => [value, value]));
  return field({ enum: [...values, null] }, (value, name, reading) => {
    const read = typeof value === 'string' ? known.get(value) : undefined;
    return read ?? reading.refuse(name, `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`);
  });
}

/** More than `format: uri` says, which takes addresses of every kind. */
export const WEB_ADDRESS = '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\\\?#\\s][!-~]*$';

const webAddress = (http: 'never in production' | 'always'): Field<string, false> =>
  field({ type: ['string', 'null'], format: 'uri', pattern: WEB_ADDRESS, maxLength: 2048 }, (value, name, reading) => {
    if (
      typeof value !== 'string' ||
      value.length > 2048 ||
      !/^https?:\/\/[^/\\?#\s][!-~]*$/i.test(value) ||
      !isAddress(value)
    )
      return reading.refuse(
        name,
        'must be an absolute http or https address of at most 2048 ASCII characters, without user name',
      );
    if (reading.production && http !== 'always' && !/^https:/i.test(value))
      return reading.refuse(name, 'must be an https address');
    return value;
  });

/** url: http or https; https only in production. */
export const url = webAddress('never in production');
/** website_url: http also in production (contract 2.2). */
export const websiteUrl = webAddress('always');

function isAddress(value: string): boolean {
  const address = URL.parse(value);
  return (
    address !== null &&
    address.hostname !== '' &&
    address.username === '' &&
    address.password === '' &&
    !/^[^/]*\/\/[^/?#]*@/.test(value)
  );
}

const written = (schema: JsonSchema, what: string, read: (value: string) => string | undefined): Field<string, false> =>
  field({ type: ['string', 'null'], ...schema }, (value, name, reading) => {
    const taken = typeof value === 'string' ? read(value) : undefined;
    return taken ?? reading.refuse(name, `must be ${what}`);
  });

export const date = written({ examples: ['1990-05-01'] }, 'a date such as 1990-05-01', readDate);
/** datetime: read as ISO 8601 UTC with milliseconds. */
export const datetime = written(
  { examples: ['2024-08-16T09:30:15Z'] },
  'a date and time such as 2024-08-16T09:30:15Z',
  readDatetime,
);
export const country = written({ pattern: '^[A-Za-z]{2}$' }, 'a country code of two letters', (value) =>
  /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : undefined,
);
export const currency = written(
  { pattern: '^[A-Za-z]{3}$' },
  'a currency code of ISO 4217 with minor units, such as EUR',
  (value) => (/^[A-Za-z]{3}$/.test(value) && CURRENCIES.has(value.toUpperCase()) ? value.toUpperCase() : undefined),
);
export const email = written({ maxLength: 254 }, 'an e-mail address of at most 254 characters', (value) =>
  value.length <= 254 &&
  value.isWellFormed() &&
  /^[^@\s\u0000-\u001f\u007f-\u009f]+@[^@\s\u0000-\u001f\u007f-\u009f]+$/.test(value)
    ? value
    : undefined,
);
export const locale = written({ examples: ['fr_FR'] }, 'a locale such as fr or fr_FR', (value) => {
  const match = /^([A-Za-z]{2})(?:[_-]([A-Za-z]{2}))?$/.exec(value);
  return match?.[1] && match[1].toLowerCase() + (match[2] ? `_${match[2].toUpperCase()}` : '');
});
export const ip = written({ examples: ['203.0.113.7'] }, 'an IPv4 or IPv6 address', (value) =>
  canonicalIp((value.split(',')[0] ?? '').trim()),
);
export const id24 = written({ pattern: '^[0-9a-f]{24}$' }, 'an id of 24 hexadecimal characters', (value) =>
  isId(value) ? value : undefined,
);
export const token64 = written(
  { pattern: '^[0-9a-f]{64}$' },
  'a token of 64 hexadecimal characters, as POST /token of the vault answers it',
  (value) => (isToken(value) ? value : undefined),
);

const NOT_OURS = 'is not one of ours: send next_cursor of the answer before';

/** Where the next page of a list begins: next_cursor of an answer, of which `placeOf` makes the place in the list. */
export function cursorOf(max: number, placeOf: (sent: string) => string | undefined): Field<string, false> {
  return field({ type: ['string', 'null'], maxLength: max }, (value, name, reading) => {
    const place = typeof value === 'string' && value.length <= max ? placeOf(value) : undefined;
    return place ?? reading.refuse(name, NOT_OURS);
  });
}

/** A cursor that is the id of the last row. */
export const cursorId = cursorOf(24, (sent) => (isId(sent) ? sent : undefined));

export const refuseCursor = (): Refusal => refuseField('cursor', 'parameter_invalid', NOT_OURS);

function canonicalIp(written_ip: string): string | undefined {
  if (/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(written_ip)) return written_ip;
  if (!/^[0-9a-fA-F:.]{2,45}$/.test(written_ip) || !written_ip.includes(':')) return undefined;
  const six = URL.parse(`http://[${written_ip}]/`)?.hostname.slice(1, -1);
  // IPv4 as a socket of both families tells it is IPv4
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(six ?? '');
  if (!mapped) return six;
  const groups = mapped.slice(1).map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

/** What PostgreSQL's jsonb cannot hold: U+0000 and lone surrogates, as JSON.stringify writes them. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89ab][0-9a-f]{2}|d[c-f][0-9a-f]{2})/;

/** An object or list that is stored and passed on as it is. */
export const anything: Field<unknown, false> = field({ type: ['object', 'array', 'null'] }, (value, name, reading) => {
  if (!(value instanceof Map) && !Array.isArray(value)) return reading.refuse(name, 'must be an object or a list');
  const plain = plainJson(value);
  return UNSTORABLE.test(JSON.stringify(plain))
    ? reading.refuse(name, 'holds a character that cannot be stored')
    : plain;
});

/** A text, number or boolean that is answered as text (merchant_data.value). */
export function anyText(max: number): Field<string, false> {
  const plain = text(max);
  return field({ type: ['string', 'number', 'boolean', 'null'], maxLength: max }, (value, name, reading) => {
    if (typeof value === 'boolean') return String(value);
    return plain.read(value instanceof JsonNumber ? value.text : value, name, reading);
  });
}
