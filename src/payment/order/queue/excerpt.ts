// What is kept of a provider's answer that nothing was learnt from, for the person who may have to rule on it.
import type { Answer } from '../../../provider/contract.ts';

const MOST_BYTES = 1000;

/** Its beginning as text: runs of digits that could be a card's masked, and what cannot be shown left out. */
export function excerptOf({ status, body }: Answer): { readonly status: number; readonly text: string } {
  const text = Buffer.from(body.subarray(0, MOST_BYTES)).toString('utf8');
  const masked = text.replace(/\d(?:[ -]?\d){11,}/g, (digits) => '#'.repeat(digits.length));
  return { status, text: masked.replace(/[^\P{C}\n]/gu, '') };
}
