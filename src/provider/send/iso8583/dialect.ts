// How one acquirer writes ISO 8583, as data: each has a dialect of its own, and certification with it is the
// operator's. Ours is one of many: digits as ASCII, two bytes of length before a message, private tags in field 48.
import { FIELDS_1987, type FieldTable } from './fields.ts';

/** A field of fixed length that is made of others. */
export type DialectPart = {
  readonly name: string;
  readonly length: number;
  /** A shorter value gets zeros in front. */
  readonly zeros?: true;
  /** Only the end of a longer value is written: 34 of the year 2034. */
  readonly end?: true;
};

export type MessageRule = {
  readonly type: string;
  /** The type of its repeat, if no answer came. Absent: it is never repeated. */
  readonly repeat?: string;
  /** Field 3. */
  readonly processing: string;
  /** Names the message that it follows in field 90. */
  readonly names_original: boolean;
};

export type Dialect = {
  readonly name: string;
  readonly fields: FieldTable;
  /** 16 hex digits, or 8 bytes. */
  readonly bitmap: 'hex' | 'bytes';
  /** Fields of class `b` likewise. */
  readonly bits: 'hex' | 'bytes';
  /** The longest message. Two bytes before it say how long it is, the higher one first. */
  readonly max_bytes: number;
  /** Fields of fixed length that are filled up with blanks behind. */
  readonly blanks: readonly number[];
  readonly parts: Readonly<Record<number, readonly DialectPart[]>>;
  /**
   * Field → name → tag of two characters. A value stands behind its tag and two digits of length; one that is unknown
   * keeps its tag as its name.
   */
  readonly tags: Readonly<Record<number, Readonly<Record<string, string>>>>;
  readonly messages: Readonly<Record<'authorize' | 'sale' | 'capture' | 'refund' | 'cancel' | 'reversal', MessageRule>>;
  /** Field 70. */
  readonly network: { readonly sign_on: string; readonly sign_off: string; readonly echo: string };
};

/** The messages of the standard, without what is private: samples from anywhere are read with it. */
const STANDARD = {
  fields: FIELDS_1987,
  bitmap: 'hex',
  bits: 'hex',
  max_bytes: 9999,
  blanks: [41, 42],
  messages: {
    authorize: { type: '0100', processing: '000000', names_original: false },
    sale: { type: '0200', processing: '000000', names_original: false },
    capture: { type: '0220', repeat: '0221', processing: '000000', names_original: true },
    refund: { type: '0200', repeat: '0201', processing: '200000', names_original: false },
    cancel: { type: '0400', repeat: '0401', processing: '000000', names_original: true },
    reversal: { type: '0420', repeat: '0421', processing: '000000', names_original: true },
  },
  network: { sign_on: '001', sign_off: '002', echo: '301' },
} as const;

export const PLAIN: Dialect = { ...STANDARD, name: 'plain', parts: {}, tags: {} };

export const DIALECT: Dialect = {
  ...STANDARD,
  name: 'florin',
  // tags hold signs, too
  fields: { ...FIELDS_1987, 48: { class: 'ans', length: 999, prefix: 3, name: 'private tags' } },
  parts: {
    14: [
      { name: 'year', length: 2, end: true },
      { name: 'month', length: 2, zeros: true },
    ],
    90: [
      { name: 'type', length: 4 },
      { name: 'trace', length: 6 },
      { name: 'sent_at', length: 10 },
      { name: 'acquirer', length: 11, zeros: true },
      { name: 'forwarder', length: 11, zeros: true },
    ],
  },
  tags: {
    48: {
      /** Ours, repeated by the acquirer. */
      reference: '01',
      security_code: '10',
      token_cryptogram: '11',
      token_eci: '12',
      eci: '20',
      authentication_value: '21',
      ds_transaction: '22',
      authentication_version: '23',
      exemption: '24',
      scheme: '30',
      /** The scheme's id of this payment, in an answer; of the first of a subscription, in what we send. */
      network_reference: '31',
      previous_reference: '32',
      /** The scheme's advice beside a decline (Mastercard's merchant advice code). */
      advice: '33',
      last_capture: '40',
    },
  },
};

/** The type of what answers a message: 0110 to 0100 and to 0101. */
export function answerTypeOf(type: string): string {
  return `${type.slice(0, 2)}${Number(type[2]) + 1}0`;
}
