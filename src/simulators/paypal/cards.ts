// How the cards of the simulated PayPal behave: by number, and by the holder's name as in PayPal's own sandbox:
// https://developer.paypal.com/tools/sandbox/card-testing/#link-rejectiontriggers

export type Behaviour =
  | { readonly kind: 'approved' | 'pending' }
  /** The payer's bank asks the payer to authenticate. */
  | { readonly kind: 'challenge' }
  /** Declined until the payer has authenticated. */
  | { readonly kind: 'soft' }
  /** `code` is the processor's response code. */
  | { readonly kind: 'declined'; readonly code: string; readonly advice?: string }
  /** Only a part of the amount is approved. */
  | { readonly kind: 'part' };

const declined = (code: string, advice?: string): Behaviour => ({
  kind: 'declined',
  code,
  ...(advice !== undefined && { advice }),
});

const NUMBERS: Readonly<Record<string, Behaviour>> = {
  '4868719460707704': { kind: 'challenge' },
  '5329879735316929': { kind: 'challenge' },
  '4000000000000002': declined('0500'),
  '4000000000009995': declined('5120'),
  '4000000000009987': declined('9520'),
  '4000000000000069': declined('5400'),
  '4000000000000127': declined('00N7'),
  '4000000000000341': declined('1384', '03'),
  '4000000000003220': { kind: 'soft' },
  '4000000000000077': { kind: 'pending' },
  '4000000000000101': { kind: 'part' },
};

const NAMES: Readonly<Record<string, Behaviour>> = {
  'CCREJECT-REFUSED': declined('0500'),
  'CCREJECT-SF': declined('9500'),
  'CCREJECT-EC': declined('5400'),
  'CCREJECT-IRC': declined('5180'),
  'CCREJECT-IF': declined('5120'),
  'CCREJECT-LS': declined('9520'),
  'CCREJECT-IA': declined('1330'),
  'CCREJECT-BANK_ERROR': declined('5100'),
  'CCREJECT-CVV_F': declined('00N7'),
  /** A code that PayPal does not list. */
  'CCREJECT-TOMORROW': declined('9ZZZ'),
};

export const KNOWN_CARDS: readonly (readonly [string, string])[] = [
  ...Object.entries(NUMBERS),
  ...Object.entries(NAMES),
].map(([name, { kind, ...more }]) => [name, 'code' in more ? `${kind}, ${more.code}` : kind]);

export function behaviourOf(number: string, holder: string): Behaviour {
  const named = Object.hasOwn(NAMES, holder) ? NAMES[holder] : undefined;
  return named ?? (Object.hasOwn(NUMBERS, number) ? NUMBERS[number] : undefined) ?? { kind: 'approved' };
}

const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'VISA'],
  [/^(?:5[1-5]|2[2-7])/, 'MASTERCARD'],
  [/^3[47]/, 'AMEX'],
  [/^(?:6011|64|65)/, 'DISCOVER'],
  [/^35/, 'JCB'],
  [/^62/, 'CHINA_UNION_PAY'],
];

/** Undefined if PayPal has no name for the brand. */
export const brandOf = (number: string): string | undefined => BRANDS.find(([begins]) => begins.test(number))?.[1];
