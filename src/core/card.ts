// What a card number says about its card: the scheme, how long it may be, how long its cvc is.
// Works on bytes (ASCII digits), so that the vault never has to make a string of a number.

/** A payment method of kind card: wire name, how people call it, stem of its logo files, cvc length. */
export const SCHEMES = {
  visa: { display_name: 'Visa', logo_stem: 'Visa', cvc: 3, cvc_required: true },
  mastercard: { display_name: 'Mastercard', logo_stem: 'Mastercard', cvc: 3, cvc_required: true },
  amex: { display_name: 'American Express', logo_stem: 'American-Express', cvc: 4, cvc_required: true },
  diners: { display_name: 'Diners Club', logo_stem: 'Diners-Club', cvc: 3, cvc_required: true },
  discover: { display_name: 'Discover', logo_stem: 'Discover', cvc: 3, cvc_required: true },
  jcb: { display_name: 'JCB', logo_stem: 'JCB', cvc: 3, cvc_required: true },
  unionpay: { display_name: 'UnionPay', logo_stem: 'UnionPay', cvc: 3, cvc_required: true },
  cb: { display_name: 'Cartes Bancaires', logo_stem: 'CB', cvc: 3, cvc_required: true },
  maestro: { display_name: 'Maestro', logo_stem: 'Maestro', cvc: 3, cvc_required: false },
  bancontact: { display_name: 'Bancontact', logo_stem: 'Bancontact', cvc: 3, cvc_required: false },
} as const;

export type Scheme = keyof typeof SCHEMES;
export const SCHEME_NAMES = Object.keys(SCHEMES) as [Scheme, ...Scheme[]];

type Range = { from: string; to: string; lengths: readonly number[]; schemes: readonly [Scheme, ...Scheme[]] };

const range = (from: string, to: string, lengths: readonly number[], ...schemes: [Scheme, ...Scheme[]]): Range => ({
  from,
  to,
  lengths,
  schemes,
});

/**
 * Ranges of leading digits, the longest prefix first; the first scheme is the one the number itself names
 * (bin_scheme_name), further ones are brands the card carries too. Source: the schemes' public ranges; the co-badged
 * rows are the sandbox's well-known numbers (contract 15.2), real ones come from an operator's BIN table.
 */
const RANGES: readonly Range[] = [
  range('4000002500001001', '4000002500001001', [16], 'visa', 'cb'),
  range('4035501000000008', '4035501000000008', [16], 'visa', 'cb'),
  range('5555552500001001', '5555552500001001', [16], 'mastercard', 'cb'),
  range('670344', '670344', [16, 17, 18, 19], 'bancontact', 'maestro'),
  range('6011', '6011', [16, 19], 'discover'),
  range('2221', '2720', [16], 'mastercard'),
  range('3528', '3589', [16, 17, 18, 19], 'jcb'),
  range('644', '649', [16, 19], 'discover'),
  range('300', '305', [14, 16, 19], 'diners'),
  range('810', '817', [16, 17, 18, 19], 'unionpay'),
  range('34', '34', [15], 'amex'),
  range('37', '37', [15], 'amex'),
  range('36', '36', [14, 16, 19], 'diners'),
  range('38', '39', [14, 16, 19], 'diners'),
  range('51', '55', [16], 'mastercard'),
  range('62', '62', [16, 17, 18, 19], 'unionpay'),
  range('65', '65', [16, 19], 'discover'),
  range('50', '50', [14, 15, 16, 17, 18, 19], 'maestro'),
  range('56', '59', [14, 15, 16, 17, 18, 19], 'maestro'),
  range('63', '63', [14, 15, 16, 17, 18, 19], 'maestro'),
  range('67', '67', [14, 15, 16, 17, 18, 19], 'maestro'),
  range('4', '4', [16, 18, 19], 'visa'),
];

const ZERO = 0x30;

/** Luhn's check (ISO/IEC 7812-1 annex B) over ASCII digits. */
export function luhn(digits: Uint8Array): boolean {
  let sum = 0;
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = (digits[i] ?? 0) - ZERO;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** The brands a number of this beginning and length carries, the one the number names first; empty: none we know. */
export function schemesOf(digits: Uint8Array): readonly Scheme[] {
  const found = RANGES.find((r) => r.lengths.includes(digits.length) && startsWithin(digits, r.from, r.to));
  return found?.schemes ?? [];
}

/** Digits of the shortest and of the longest card number. */
export const SHORTEST = 14;
export const LONGEST = 19;

/** Sizes of the groups as they are printed on the card. */
function groupsOf(digits: string): readonly number[] {
  const [scheme] = schemesStarting(new TextEncoder().encode(digits));
  if (scheme === 'amex') return [4, 6, 5];
  if (scheme === 'diners' && digits.length <= 14) return [4, 6, 4];
  return [4, 4, 4, 4, 3];
}

/** `4242424242424242` as `4242 4242 4242 4242`, amex as 4-6-5. */
export function grouped(digits: string): string {
  const parts: string[] = [];
  let rest = digits.slice(0, LONGEST);
  for (const size of groupsOf(digits)) {
    if (rest === '') break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.concat(rest === '' ? [] : [rest]).join(' ');
}

const RUN = /(?<![0-9A-Za-z])\d+(?:[\p{Zs}\p{Pd}\t]{1,3}\d+)*(?![0-9A-Za-z])/gu;
/** With signs that stand in dates, amounts and paths too: only in groups as on the card. */
const PRINTED =
  /(?<![0-9A-Za-z._/·])\d{4}[._/·](?:\d{4}[._/·]\d{4}[._/·]\d{4}|\d{6}[._/·]\d{4,5})(?![0-9A-Za-z._/·]*[0-9A-Za-z])/gu;

/** What is wrong with a text that holdsCardNumber. */
export const CARD_NUMBER_HELD = 'holds a card number: its first six and last four digits say as much';

/**
 * Whether a text that a person wrote holds a number that can be a card's, in one piece or in groups, in the digits of
 * any writing. For texts that hold no card.
 */
export function holdsCardNumber(written: string): boolean {
  const text = plainDigits(written);
  return [...text.matchAll(RUN), ...text.matchAll(PRINTED)].some(([run]) => isCardIn(run));
}

/** The text with `#` for every digit of what holdsCardNumber finds in it; else as it was written. */
export function withCardNumbersMasked(written: string): string {
  // most texts hold few digits, and are passed on without a closer look
  if (written.replace(/\P{Nd}+/gu, '').length < SHORTEST || !holdsCardNumber(written)) return written;
  const hide = (run: string) => (isCardIn(run) ? run.replace(/\d/g, '#') : run);
  return plainDigits(written).replace(RUN, hide).replace(PRINTED, hide);
}

/** Whether neighbouring groups of a run of digits make a card's number. */
function isCardIn(run: string): boolean {
  const groups = run.split(/[\p{Zs}\p{Pd}\t._/·]+/u);
  const digits = new TextEncoder().encode(groups.join(''));
  let from = 0;
  for (const [first, { length }] of groups.entries()) {
    let size = 0;
    for (let next = first; next < groups.length; next++) {
      size += groups[next]?.length ?? 0;
      if (size > LONGEST) break;
      if (size >= SHORTEST && isCard(digits.subarray(from, from + size))) return true;
    }
    from += length;
  }
  return false;
}

/** Digits of every writing as those of ASCII, and nothing between them that is not seen. */
export function plainDigits(text: string): string {
  return text.replace(/\p{Cf}+/gu, '').replace(/(?![0-9])\p{Nd}/gu, (sign) => String(digitOf(sign)));
}

/** Ten of a writing stand in a row; those of mathematics are five rows without a gap. */
function digitOf(sign: string): number {
  const at = sign.codePointAt(0) ?? 0;
  if (at >= 0x1d7ce && at <= 0x1d7ff) return (at - 0x1d7ce) % 10;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(at - value - 1))) value++;
  return value;
}

const isCard = (digits: Uint8Array) => luhn(digits) && schemesOf(digits).length > 0;

/**
 * The brand of a number that is still being typed, as far as its first digits tell; empty: several are possible, or
 * none. Co-badged cards are found by whole numbers only (`schemesOf`).
 */
export function schemesStarting(digits: Uint8Array): readonly Scheme[] {
  if (digits.length === 0) return [];
  const possible: Scheme[] = [];
  for (const { from, to, schemes } of RANGES) {
    if (!isOnTheWay(digits, from, to)) continue;
    possible.push(schemes[0]);
    // a shorter prefix further down does not count any more
    if (digits.length >= from.length) break;
  }
  const [first] = possible;
  return first !== undefined && possible.every((scheme) => scheme === first) ? [first] : [];
}

/** The digits so far fit between the beginnings of both ends of a range. */
function isOnTheWay(digits: Uint8Array, from: string, to: string): boolean {
  const length = Math.min(digits.length, from.length);
  return startsWithin(digits, from.slice(0, length), to.slice(0, length));
}

/** Digit by digit: the number must not become one of JavaScript's, which could not be overwritten. */
function startsWithin(digits: Uint8Array, from: string, to: string): boolean {
  return compareStart(digits, from) >= 0 && compareStart(digits, to) <= 0;
}

function compareStart(digits: Uint8Array, prefix: string): number {
  for (let i = 0; i < prefix.length; i++) {
    const difference = (digits[i] ?? 0) - prefix.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Logo file names of a method (contract 5.1): six drawings, each as vector and as raster. */
export function logoFiles(scheme: Scheme): Record<(typeof LOGO_FIELDS)[number], string> {
  const stem = SCHEMES[scheme].logo_stem;
  return {
    logo: `${scheme}.svg`,
    logo_white: `${stem}_white.svg`,
    logo_colorbg: `${stem}_colorbg.svg`,
    logo_whitebg: `${stem}_whitebg.svg`,
    logo_favicon_colorbg: `${stem}_favicon_colorbg.svg`,
    logo_favicon_whitebg: `${stem}_favicon_whitebg.svg`,
    logo_png: `${scheme}.png`,
    logo_white_png: `${stem}_white@2x.png`,
    logo_colorbg_png: `${stem}_colorbg@2x.png`,
    logo_whitebg_png: `${stem}_whitebg@2x.png`,
    logo_favicon_colorbg_png: `${stem}_favicon_colorbg@2x.png`,
    logo_favicon_whitebg_png: `${stem}_favicon_whitebg@2x.png`,
  };
}

export const LOGO_FIELDS = [
  'logo',
  'logo_white',
  'logo_colorbg',
  'logo_whitebg',
  'logo_favicon_colorbg',
  'logo_favicon_whitebg',
  'logo_png',
  'logo_white_png',
  'logo_colorbg_png',
  'logo_whitebg_png',
  'logo_favicon_colorbg_png',
  'logo_favicon_whitebg_png',
] as const;
