// The next provider, inside the same order and attempt (contract 3, cascade rule): only when the try before is proved
// dead, by the answer of the call itself. The dying transaction and its successor are one commit.
import type { ResultName } from '../../../core/results.ts';
import type { Following } from '../../../core/retries/follow.ts';
import { ORDER_STATUSES } from '../../../core/states.ts';
import type { Provider } from '../../../provider/contract.ts';
import type { Contract } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import type { Runner } from '../../../kit/database.ts';
import { type Guard, guardOfOwn, guardParameters } from '../../declines/guard.ts';
import type { HeldNote } from '../../declines/held.ts';
import { initiatorOf } from '../../order-rules/initiator.ts';
import { findCardOf, findHeld, lockCard } from '../../declines/store.ts';
import type { Settlement } from '../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import type { SettleFacts } from './settle-store.ts';
import { settleIn } from './settle-store.ts';
import { insertFallback } from './attempt-store.ts';

/** Answered with authentication, not with another provider (contract 3). */
export const WANTS_AUTHENTICATION: ReadonlySet<ResultName> = new Set([
  'authentication_required',
  'issuer_soft_decline',
  'acquirer_authentication_required',
]);

/**
 * It was the provider's or the acquirer's own trouble; an issuer that declined without a reason is asked again only
 * where that is wanted, and never after it or its scheme said to wait or to stop.
 */
export function mayGoOn({ class: name, soft_allowed }: Following, soft: boolean): boolean {
  return name === 'other_route' || (name === 'other_route_soft' && soft && soft_allowed);
}

export type Cascading = {
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly written: SettleFacts;
  readonly to: Contract;
};

export type Cascaded = { readonly transaction_id: string } | { readonly held: HeldNote };

/**
 * Ends the try and begins the next in one transaction. Held: the limits of the card's scheme forbid the next, and
 * nothing was done. Undefined: the order moved, and nothing was done.
 */
export async function cascade(
  tools: Tools,
  { order, operation, written, to }: Cascading,
): Promise<Cascaded | undefined> {
  const transaction_id = tools.chance.id();
  const { merchant_account_id } = order;
  const lease_s = (tools.providers.get(to.provider)?.can.answer_deadline_s ?? 0) + 5;
  const at = tools.clock.now();
  const begin = async (tx: Runner): Promise<Cascaded | undefined> => {
    const guard = await guardIn(tx, { order, operation, limitsOn: tools.caps.limitsOn });
    if (guard) await lockCard(tx, merchant_account_id, guard.card);
    const done = await settleIn(tx, merchant_account_id, { ...written, settlement: goingOn(order, written) });
    if (!done) return undefined;
    const fallback = {
      merchant_account_id,
      order_id: order.id,
      from_id: operation.transaction_id,
      transaction_id,
      provider: to.provider,
      contract_id: to.id,
      with_capture: operation.with_capture,
      request_id: operation.request_id,
      lease_s,
      authorizes: true,
    };
    if (await insertFallback(tx, fallback, guard && guardParameters(guard, at))) return { transaction_id };
    if (!guard) throw new Error('a fallback goes on with the try before');
    const held = await findHeld(tx, { merchant_account_id, contract_id: to.id }, { guard, at });
    throw new HeldBack({ ...(held ?? CLOSED), who: 'fallback' });
  };
  return tools.db.begin(merchant_account_id, begin).catch((error: unknown) => {
    if (error instanceof HeldBack) return { held: error.held };
    throw error;
  });
}

/** Nothing of the transaction stays: what was settled in it is settled again, without a successor. */
class HeldBack extends Error {
  readonly held: HeldNote;
  constructor(held: HeldNote) {
    super('the next try is held back');
    this.held = held;
  }
}

/** Free again by the next look; it was not when it mattered. */
const CLOSED = { why: 'stopped', category: null, advice: null } as const;

async function guardIn(
  tx: Runner,
  { order, operation, limitsOn }: Pick<Cascading, 'order' | 'operation'> & Pick<Guard, 'limitsOn'>,
): Promise<Guard | undefined> {
  const before = order.transactions.find(({ id }) => id === operation.transaction_id);
  if (!before) return undefined;
  const { exp_month, exp_year, payment_method_name: scheme } = before;
  return guardOfOwn({
    card: (await findCardOf(tx, order)) ?? null,
    scheme,
    initiator: initiatorOf(order),
    exp_month,
    exp_year,
    amount_minor: operation.amount_minor,
    currency: order.currency,
    limitsOn,
  });
}

/** The order stays where it is: a decline that is followed at once by a fallback makes no event (contract 13.2). */
export function goingOn({ status }: OrderFacts, { settlement }: SettleFacts): Settlement {
  return { ...settlement, status, live: ORDER_STATUSES[status].live, events: [] };
}

// How long a chain may be within one attempt. Each further provider is a decline in its scheme's books, and a caller
// waits: what would answer too late is not begun.

export type Chain = {
  /** The clock's ticks when the attempt was begun. */
  readonly since: number;
  /** Where to try next, in order; as many as are still allowed. */
  readonly fallbacks: readonly Contract[];
};

/** Providers after the first one. */
const MOST_FURTHER = 1;
/** An answer comes within 28 s (contract 2.8), and this is how much of it a chain may take. */
const MAY_TAKE_MS = 20_000;
/** Real providers answer nearly all calls well within it, however long they may take. */
const USUAL_ANSWER_MS = 10_000;

export function chainOf(fallbacks: readonly Contract[], since: number): Chain {
  return { since, fallbacks: fallbacks.slice(0, MOST_FURTHER) };
}

/** The next one, if it may still begin; its answer comes in time as a rule. */
export function nextIn(
  { since, fallbacks }: Chain,
  { now, providers }: { readonly now: number; readonly providers: Pick<ReadonlyMap<string, Provider>, 'get'> },
): Contract | undefined {
  const [next] = fallbacks;
  const deadline_ms = (providers.get(next?.provider ?? '')?.can.answer_deadline_s ?? 0) * 1000;
  return now - since + Math.min(deadline_ms, USUAL_ANSWER_MS) <= MAY_TAKE_MS ? next : undefined;
}

/** After the next one was begun. */
export const shorter = ({ since, fallbacks }: Chain): Chain => ({ since, fallbacks: fallbacks.slice(1) });
