// The excerpt of a provider's answer that is stored, for the person who looks into a payment or may have to rule on it.
import type { Answer } from '../../../provider/contract.ts';
import { maskDigits } from '../../../core/digits.ts';

export type Excerpt = { readonly status: number; readonly text: string };

const MOST_CHARACTERS = 2000;
/** Enough for that many characters in any writing, and for a number that begins before the cut. */
const MOST_BYTES = 16_000;

/**
 * The beginning of an answer as text, made in this order: characters that cannot be shown are left out, runs of digits
 * that could be a card's are masked, the text is cut and says so. Neither leaving out nor cutting may then hide a card
 * number from the mask. `ids` are our own ids, which contain such runs by chance: they stay, because people search for
 * them.
 */
export function excerptOf({ status, body }: Answer, ids: readonly string[]): Excerpt {
  const beginning = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MOST_BYTES)).toString('utf8');
  const shown = beginning.replace(/[^\P{C}\n]/gu, '');
  const masked = maskDigits(shown, ids);
  const cut = endOf(masked, MOST_CHARACTERS);
  if (cut === masked.length && body.byteLength <= MOST_BYTES) return { status, text: masked };
  return {
    status,
    text: `${masked.slice(0, cut)}\n[cut here: the first 2,000 characters of ${body.byteLength} bytes]`,
  };
}

/** The place where this many characters end; a character beyond U+FFFF takes two places. */
function endOf(text: string, characters: number): number {
  let end = 0;
  for (let n = 0; n < characters && end < text.length; n++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end;
}
