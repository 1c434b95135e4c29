// How a message is written down for a provider. A wire says where the slots of a template stand, and writes it as bytes
// with the slots filled in: there is no text replacement. JSON and forms are here; a binary one (ISO 8583: a bitmap,
// fields of a length that is written before them) is one more wire, whose places are field numbers.
import { form } from './form.ts';
import { json } from './json.ts';
import { multipart } from './multipart.ts';

/** A part of a template: what goes out as it is, or a place that is filled in here. */
export type Part = string | { readonly slot: string };

export type Values = {
  /** A partner's token where there is one. */
  readonly number: Buffer;
  readonly holder: Buffer;
  readonly cvc: Buffer | undefined;
  /** The cryptogram of a network token, base64. */
  readonly cryptogram: Buffer | undefined;
  /** The value that came with the cryptogram; empty: none did. */
  readonly eci: string;
  /** The partner's own name of the customer, beside its token. */
  readonly psp_customer: Buffer;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  /** The credentials of the merchant's contract with the provider. */
  readonly credentials: Readonly<Record<string, string>>;
};

export type Wire = {
  /**
   * Reads a template: the place of each slot, in their order. Undefined: it is no message of this wire, or is one in
   * two ways.
   */
  read(body: readonly Part[]): readonly string[] | undefined;
  /** Writes the message into a buffer of its own; the caller overwrites it. Only for templates that can be read. */
  write(body: readonly Part[], values: Values): Buffer;
};

export const WIRES = {
  'application/json': json,
  'application/x-www-form-urlencoded': form,
  'multipart/form-data': multipart,
} as const satisfies Readonly<Record<string, Wire>>;

export type WireName = keyof typeof WIRES;

export function isWireName(text: unknown): text is WireName {
  return typeof text === 'string' && Object.hasOwn(WIRES, text);
}
