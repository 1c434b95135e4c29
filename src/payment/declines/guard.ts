// Whether a try must keep the limits of its card's scheme, and the parameters its statement needs for that. The payer
// may exceed them, unless the account forbids it; all others may not, unless the account only counts.
import { dayOf } from '../../core/retries/day.ts';
import type { Caps } from '../tools.ts';
import type { Parameters } from '../../kit/database.ts';
import { bytes } from '../../kit/database.ts';
import type { Settings } from '../merchant/settings.ts';
import type { Initiator } from '../order-rules/initiator.ts';
import type { Held } from './held.ts';

/** The question to the counted declines before a try begins. */
export type Guard = {
  /** card_digest, hex. */
  readonly card: string;
  readonly scheme: string;
  readonly initiator: Initiator;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly amount_minor: bigint;
  readonly currency: string;
  /** The limits on the day of the try. */
  readonly limitsOn: Caps['limitsOn'];
  /** Counted from its acceptance on, and one after the other: no payer would send it again. */
  readonly opens: boolean;
};

type Trying = Omit<Guard, 'card' | 'opens'> & {
  /** Null: of a partner's token, which says nothing of its card; it is counted nowhere. */
  readonly card: string | null;
};

/** Undefined: nothing is asked, and the statement is the one without a guard. */
export function guardOf(
  { caps_merchant, caps_payer }: Pick<Settings, 'caps_merchant' | 'caps_payer'>,
  { card, ...trying }: Trying,
): Guard | undefined {
  if (card === null) return undefined;
  const without_payer = trying.initiator === 'm';
  const guarded = without_payer ? caps_merchant === 'hold' : caps_payer === 'hold';
  return guarded ? { ...trying, card, opens: without_payer } : undefined;
}

/** The guard of our own tries (a fallback, a later try): they never pass a limit. */
export function guardOfOwn({ card, ...trying }: Trying): Guard | undefined {
  return card === null ? undefined : { ...trying, card, opens: true };
}

/** `day`: of the try, by the deployment's clock; the rows of that day hold. */
export function guardParameters(guard: Guard, at: Date): Parameters {
  const limits = guard.limitsOn(dayOf(at), guard.scheme);
  const { exp_month, exp_year } = guard;
  return {
    counted_card: bytes(guard.card),
    counted_scheme: guard.scheme,
    counted_minor: guard.amount_minor,
    counted_currency: guard.currency,
    initiator: guard.initiator,
    card_expires: exp_month === null || exp_year === null ? null : dayOf(new Date(Date.UTC(exp_year, exp_month, 1))),
    opens: guard.opens,
    limit_rules: limits.map(({ rule }) => rule),
    limit_windows: limits.map(({ window_s }) => window_s),
    limit_most: limits.map(({ most }) => most),
    limit_by_amount: limits.map(({ by_amount }) => (by_amount ? 't' : 'f')),
    limit_by_initiator: limits.map(({ by_initiator }) => (by_initiator ? 't' : 'f')),
  };
}

/** The answer of a guarded statement: the try began, another request was quicker, or the try is held back. */
export type Begun = 'begun' | 'overtaken' | { readonly held: Held };

/** Reads the rows of a statement that ends with `BEGUN_OR_HELD`. */
export function begunOf(rows: readonly { readonly held: Held | null }[]): Begun {
  const held = rows.find((row) => row.held !== null)?.held;
  if (held) return { held };
  return rows.length > 0 ? 'begun' : 'overtaken';
}
