// A body with holes, and how the vault fills them: as bytes, each slot one JSON value with its quotes (providers.md 2.1).

import { privateBytes } from '../../kit/crypto.ts';

export type Part = string | { readonly slot: string };

export type Values = {
  readonly number: Buffer;
  readonly holder: Buffer;
  readonly cvc: Buffer | undefined;
  readonly exp_month: number;
  readonly exp_year: number;
};

/** The slots of a template with the place each stands at: the member names that lead to it. */
export function slotsOf(body: readonly Part[]): readonly string[] {
  return body.flatMap((part, index) => {
    if (typeof part === 'string') return [];
    const before = body[index - 1];
    const member = typeof before === 'string' ? /"([a-z_]+)":$/.exec(before)?.[1] : undefined;
    return [`${part.slot} at ${member ?? '?'}`];
  });
}

/** Writes the body into a buffer of its own; the caller overwrites it. */
export function writeBody(body: readonly Part[], values: Values): Buffer {
  const parts = body.map((part) => (typeof part === 'string' ? Buffer.from(part) : slotBytes(part.slot, values)));
  const out = privateBytes(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  parts.forEach((part, index) => {
    out.set(part, at);
    at += part.length;
    // what holds card data is overwritten at once; the constant `null` is not
    if (typeof body[index] !== 'string' && part !== NULL) part.fill(0);
  });
  return out;
}

const NULL = Buffer.from('null');
const QUOTE = 0x22;

function slotBytes(slot: string, { number, holder, cvc, exp_month, exp_year }: Values): Buffer {
  switch (slot) {
    case 'card.number':
      return quoted(number);
    case 'card.cvc?':
      return cvc ? quoted(cvc) : NULL;
    case 'card.expiry_month':
      return Buffer.from(`"${String(exp_month).padStart(2, '0')}"`);
    case 'card.expiry_year':
      return Buffer.from(`"${exp_year}"`);
    case 'card.holder?':
      return holder.length > 0 ? Buffer.from(JSON.stringify(holder.toString('utf8'))) : NULL;
    default:
      throw new Error('an unknown slot');
  }
}

function quoted(digits: Buffer): Buffer {
  const out = privateBytes(digits.length + 2);
  out[0] = QUOTE;
  out.set(digits, 1);
  out[out.length - 1] = QUOTE;
  return out;
}
