// The values of slots, as bytes: the only place where a card leaves its record. The caller overwrites the buffers.
import { privateBytes, privateCopy } from '../../kit/crypto.ts';
import { readSecret } from './secret.ts';
import type { Values } from './wire.ts';

/** Undefined: nothing to fill in, which only a slot that ends in `?` may have. */
export function valueOf(
  slot: string,
  { number, holder, cvc, psp_customer, exp_month, exp_year, cryptogram, eci, credentials }: Values,
): Buffer | undefined {
  switch (slot) {
    case 'card.number':
    case 'psp.token':
      return privateCopy(number);
    case 'card.cvc?':
      return cvc && privateCopy(cvc);
    case 'card.cryptogram?':
      return cryptogram && privateCopy(cryptogram);
    case 'card.eci?':
      return eci === '' ? undefined : Buffer.from(eci);
    case 'card.expiry_month':
      return Buffer.from(String(exp_month).padStart(2, '0'));
    case 'card.expiry_year':
      return Buffer.from(String(exp_year));
    case 'card.expiry':
      return Buffer.from(`${exp_year}-${String(exp_month).padStart(2, '0')}`);
    case 'card.holder?':
      return holder.length > 0 ? privateCopy(holder) : undefined;
    case 'psp.customer?':
      return psp_customer.length > 0 ? privateCopy(psp_customer) : undefined;
    default: {
      const secret = readSecret(slot);
      if (!secret) throw new Error('an unknown slot');
      const value = credentials[secret.name];
      return value === undefined ? undefined : Buffer.from(value);
    }
  }
}

/** The values of a call that carries no card. */
export const NO_CARD: Omit<Values, 'credentials'> = {
  number: Buffer.alloc(0),
  holder: Buffer.alloc(0),
  psp_customer: Buffer.alloc(0),
  cvc: undefined,
  cryptogram: undefined,
  eci: '',
  exp_month: null,
  exp_year: null,
};

export const SLOTS: readonly string[] = [
  'card.number',
  'card.cvc?',
  'card.expiry_month',
  'card.expiry_year',
  'card.expiry',
  'card.holder?',
  'card.cryptogram?',
  'card.eci?',
  'psp.token',
  'psp.customer?',
];

/** May hold anything that a text holds; the others are digits. */
export const isText = (slot: string) =>
  slot === 'card.holder?' || slot === 'card.cryptogram?' || slot.startsWith('psp.') || slot.startsWith('secret.');

/** A step with a partner's token in it takes such tokens, and no card. */
export const isForPartner = (slots: readonly string[]) => slots.includes('psp.token');

/** Puts pieces one behind the other, and overwrites those that held card data. */
export function joined(pieces: readonly { readonly bytes: Buffer; readonly secret: boolean }[]): Buffer {
  const out = privateBytes(pieces.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes, secret } of pieces) {
    out.set(bytes, at);
    at += bytes.length;
    if (secret) bytes.fill(0);
  }
  return out;
}
