// Runs of digits that could be a card's, masked in texts that others wrote (docs/decisions/0020, 0047): however they
// are spaced, dashed, parted or escaped.

const DIGIT = String.raw`(?:\p{Nd}|\\{1,4}u003\d|%3\d|&#(?:x3\d|4[89]|5[0-7]);)`;
const GAP = String.raw`(?:[\s\p{Pd}]|\\{1,4}u00(?:20|2d|a0)|%(?:20|2d)|&nbsp;)`;
const RUN = new RegExp(`${DIGIT}(?:${GAP}{0,3}${DIGIT}){11,}`, 'giu');
/** Signs that stand in dates, paths and versions too: only between groups as on the card (core/card.ts). */
const MARK = String.raw`(?:[._/·+]|%(?:2[bcef]|5f))`;
const FOUR = `${DIGIT}{4}`;
const REST = `(?:${FOUR}${MARK}${FOUR}${MARK}${FOUR}(?:${MARK}${DIGIT}{1,3})?|${DIGIT}{6}${MARK}${DIGIT}{4,5})`;
const PRINTED = new RegExp(`${FOUR}${MARK}${REST}`, 'giu');
const SIGN = new RegExp(`${DIGIT}|${GAP}|${MARK}`, 'gisu');

/** `ids` are our own, in which such runs stand by chance: what a person searches for is left as it is. */
export function maskDigits(text: string, ids: readonly string[] = []): string {
  return hide(PRINTED, hide(RUN, text, ids), ids);
}

function hide(numbers: RegExp, text: string, ids: readonly string[]): string {
  return text.replace(numbers, (digits, from: number) =>
    ids.some((id) => isWithin(text, id, { from, to: from + digits.length })) ? digits : digits.replace(SIGN, '#'),
  );
}

/** Does this part stand within the id, as a whole? */
function isWithin(text: string, id: string, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const at = text.indexOf(id, Math.max(0, to - id.length));
  return at >= 0 && at <= from && to <= at + id.length;
}
