// The cascade: the next provider is tried inside the same order and attempt (contract 3, cascade rule). Only when the
// answer of the call itself proves that the try before has failed. The failed transaction and its successor are one
// commit.
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
import { insertAuthentication } from '../authentication/authentication-store.ts';
import { newAuthentication } from '../authentication/begin.ts';
import { demandOfFallback } from '../authentication/demand.ts';
import { type OperationFacts, type OrderFacts, transactionOf } from '../facts/order-facts.ts';
import type { SettleFacts } from './settle-store.ts';
import { settleIn } from './settle-store.ts';
import { insertFallback } from './attempt-store.ts';

/** Declines after which the payer is authenticated; no other provider is tried (contract 3). */
export const WANTS_AUTHENTICATION: ReadonlySet<ResultName> = new Set([
  'authentication_required',
  'issuer_soft_decline',
  'acquirer_authentication_required',
]);

/**
 * May another provider be tried? Yes, if the provider or its acquirer had trouble of its own. After a decline by the
 * issuer without a reason, only if `soft` asks for that (the account's setting), and never if the issuer or the scheme
 * said to wait or to stop.
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
 * Ends this try and begins the next one in one transaction: with the payer's authentication, if nobody has asked for it
 * yet; the caller goes on with it. `held`: the limits of the card's scheme forbid the next
 * try, and nothing was done. Undefined: the order changed, and nothing was done.
 */
export async function cascade(
  tools: Tools,
  { order, operation, written, to }: Cascading,
): Promise<Cascaded | undefined> {
  const transaction_id = tools.chance.id();
  const { merchant_account_id } = order;
  const demand = demandOfFallback(tools, order, { operation, provider: to.provider });
  const asked = demand ? tools.authenticator : tools.providers.get(to.provider)?.can;
  const lease_s = (asked?.answer_deadline_s ?? 0) + 5;
  const at = tools.clock.now();
  const begin = async (tx: Runner): Promise<Cascaded | undefined> => {
    const asking = { order, operation, limitsOn: tools.caps.limitsOn };
    const guard = await guardIn(tx, { ...asking, opens: demand === undefined });
    if (guard) await lockCard(tx, merchant_account_id, guard.card);
    const done = await settleIn(tx, merchant_account_id, { ...written, settlement: goingOn(order, written) });
    if (!done) return undefined;
    const { request_id, with_capture } = operation;
    const next = { merchant_account_id, order_id: order.id, transaction_id, request_id, lease_s };
    const fallback = {
      ...next,
      from_id: operation.transaction_id,
      provider: to.provider,
      contract_id: to.id,
      with_capture,
      authorizes: demand === undefined,
    };
    if (await insertFallback(tx, fallback, guard && guardParameters(guard, at))) {
      if (demand) await insertAuthentication(tx, { ...next, ...newAuthentication(tools, demand) });
      return { transaction_id };
    }
    if (!guard) throw new Error('a fallback goes on with the try before');
    const held = await findHeld(tx, { merchant_account_id, contract_id: to.id }, { guard, at });
    throw new HeldBack({ ...(held ?? CLOSED), who: 'fallback' });
  };
  return tools.db.begin(merchant_account_id, begin).catch((error: unknown) => {
    if (error instanceof HeldBack) return { held: error.held };
    throw error;
  });
}

/** Thrown to roll the transaction back: the end of the try is then settled again, without a successor. */
class HeldBack extends Error {
  readonly held: HeldNote;
  constructor(held: HeldNote) {
    super('the next try is held back');
    this.held = held;
  }
}

/** The reason to name if the limits forbade the try but, when asked why a moment later, forbid it no more. */
const CLOSED = { why: 'stopped', category: null, advice: null } as const;

async function guardIn(
  tx: Runner,
  { order, operation, limitsOn, opens }: Pick<Cascading, 'order' | 'operation'> & Pick<Guard, 'limitsOn' | 'opens'>,
): Promise<Guard | undefined> {
  const before = transactionOf(order, operation);
  if (!before) return undefined;
  const { exp_month, exp_year, payment_method_name: scheme } = before;
  const guard = guardOfOwn({
    card: (await findCardOf(tx, order)) ?? null,
    scheme,
    initiator: initiatorOf(order),
    exp_month,
    exp_year,
    amount_minor: operation.amount_minor,
    currency: order.currency,
    limitsOn,
  });
  // what begins with the payer may end there, and is not counted until it is declined
  return guard && { ...guard, opens };
}

/**
 * The settlement without a change of the order's status: a decline that a fallback follows at once makes no event
 * (contract 13.2).
 */
export function goingOn({ status }: OrderFacts, { settlement }: SettleFacts): Settlement {
  return { ...settlement, status, live: ORDER_STATUSES[status].live, events: [] };
}

// How long a chain of providers may be within one attempt. The card's scheme counts the decline of each further
// provider, and a caller waits: a try that would answer too late is not begun.

export type Chain = {
  /** The clock's ticks when the attempt began. */
  readonly since: number;
  /** The contracts that may still be tried, in this order. */
  readonly fallbacks: readonly Contract[];
};

/** How many providers may be tried after the first one. */
const MOST_FURTHER = 1;
/** The caller's answer comes within 28 s (contract 2.8); a chain may take this much of it. */
const MAY_TAKE_MS = 20_000;
/** Real providers answer nearly all calls well within this time, even where their deadline is longer. */
const USUAL_ANSWER_MS = 10_000;

/** `order`: with the try that begins. One that another provider's failure led to, however long ago, is the last. */
export function chainOf({ transactions }: OrderFacts, { fallbacks, since }: Chain): Chain {
  const own = transactions.slice(transactions.findLastIndex(({ cascade_of }) => cascade_of === null));
  const further = new Set(own.map(({ provider }) => provider)).size - 1;
  return { since, fallbacks: fallbacks.slice(0, Math.max(0, MOST_FURTHER - further)) };
}

/** The next contract, if a try may still begin: its answer is then expected in time. */
export function nextIn(
  { since, fallbacks }: Chain,
  { now, providers }: { readonly now: number; readonly providers: Pick<ReadonlyMap<string, Provider>, 'get'> },
): Contract | undefined {
  const [next] = fallbacks;
  const deadline_ms = (providers.get(next?.provider ?? '')?.can.answer_deadline_s ?? 0) * 1000;
  return now - since + Math.min(deadline_ms, USUAL_ANSWER_MS) <= MAY_TAKE_MS ? next : undefined;
}

/** The chain after the next try has begun. */
export const shorter = ({ since, fallbacks }: Chain): Chain => ({ since, fallbacks: fallbacks.slice(1) });
