// A try that was held back: why, and the text for people (contract 7.2, psp_result_description).
import { DAY_S, HOUR_S } from '../../core/durations.ts';
import { type Advice, adviceOn } from '../../core/retries/advice.ts';
import type { RetryClass } from '../../core/retries/classes.ts';
import { LAST_DAY } from '../../core/retries/day.ts';

/** The note on a decline, which is stored with its transaction: what may follow, and the scheme's own codes. */
export type DeclineNote = {
  readonly class: RetryClass;
  /** Source and code: mastercard:25. */
  readonly advice?: string;
  readonly response_code?: string;
  readonly category?: number;
};

/** The reason as the statement gives it (parts-store.ts). */
export type Held =
  | { readonly why: 'stopped'; readonly category: number | null; readonly advice: string | null }
  | { readonly why: 'too_early'; readonly until: string }
  | { readonly why: 'limit'; readonly rule: string; readonly most: number; readonly window_s: number };

/** The reason as it is stored with a transaction; `who` would have made the try. */
export type HeldNote = Held & { readonly who: 'merchant' | 'payer' | 'fallback' | 'later' };

export function heldText(held: Held): string {
  switch (held.why) {
    case 'stopped':
      return `held back: ${whyStopped(held)}, until the card changes or its payer pays with it`;
    case 'too_early':
      return `held back: the card's scheme advised to wait until ${held.until}`;
    case 'limit':
      return `held back: ${held.most} tries of this card within ${daysOf(held.window_s)} were declined or are undecided (${held.rule})`;
  }
}

function whyStopped({ category, advice }: Extract<Held, { why: 'stopped' }>): string {
  const [source, code] = advice?.split(':') ?? [];
  if (code !== undefined && (source === 'mastercard' || source === 'visa'))
    return `the card's scheme advised ${code}, ${meaningOf({ source, code })}`;
  if (category === 1) return 'Visa never wants to see this card here again (category 1)';
  return 'the card was refused for good';
}

/** The meaning by today's rows: a code keeps its meaning when its number changes. */
const meaningOf = (advice: Advice): string => adviceOn(LAST_DAY, advice)?.meaning ?? 'not to try again';

const daysOf = (seconds: number): string =>
  seconds % DAY_S === 0 && seconds > DAY_S ? `${seconds / DAY_S} days` : `${seconds / HOUR_S} hours`;
