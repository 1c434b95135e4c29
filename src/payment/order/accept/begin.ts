// Begins an attempt, or stores it as held back: the statement that accepts it has asked the limits of its card's
// scheme, and then it ends where it began, declined for good, with nothing sent to a provider.
import { result } from '../../../core/results.ts';
import { ORDER_STATUSES } from '../../../core/states.ts';
import { violated } from '../../../kit/database.ts';
import type { Begun } from '../../declines/guard.ts';
import type { HeldNote } from '../../declines/held.ts';
import type { NewOrder } from './accept-store.ts';

type Accepting = (order: NewOrder) => Promise<Begun>;

/** Stores an attempt, as it was asked for or as held back. Undefined: another request was quicker. */
export async function begin(next: NewOrder, accept: Accepting): Promise<NewOrder | undefined> {
  const begun = await unlessRaced(() => accept(next));
  if (begun === 'begun') return next;
  if (begun === 'overtaken') return undefined;
  const held = heldBack(next, { ...begun.held, who: next.guard?.initiator === 'm' ? 'merchant' : 'payer' });
  return (await unlessRaced(() => accept(held))) === 'begun' ? held : undefined;
}

function heldBack(next: NewOrder, held: HeldNote): NewOrder {
  const status = 'authorization_declined';
  return {
    ...next,
    operation_id: null,
    status,
    live: ORDER_STATUSES[status].live,
    code: result('authorization_declined_final').code,
    fallbacks: [],
    authentication: undefined,
    guard: undefined,
    held,
  };
}

const RACES = new Set(['one_shot_once', 'one_live_order', 'one_at_provider']);

/** A unique index refused it: another request was quicker. */
export async function unlessRaced(accepting: () => Promise<Begun>): Promise<Begun> {
  try {
    return await accepting();
  } catch (error) {
    if (RACES.has(violated(error) ?? '')) return 'overtaken';
    throw error;
  }
}
