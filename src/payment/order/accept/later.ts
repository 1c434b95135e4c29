// A later try of an order: another attempt with the card of before, by the steps of a PUT, when its time has come.
// Nothing is begun while anything of the order is open or unknown; the commit that accepts it asks once more.
import { Refusal } from '../../../core/refusals.ts';
import { Reading } from '../../../core/shape.ts';
import type { Ending } from '../../../core/retries/policy.ts';
import { afterCommit } from '../../../kit/database.ts';
import { usableCard } from '../../customer/of-order.ts';
import type { HeldNote } from '../../declines/held.ts';
import { type Account, findAccount } from '../../merchant/account.ts';
import { assess } from '../../risk/assess.ts';
import { claimRetries, deferRetry, endRetry, findRival, noteHeld, postponeRetry } from '../retries/store.ts';
import type { Tools } from '../../tools.ts';
import { findTokenHash } from '../authentication/authentication-store.ts';
import { isFinal } from '../decide/decision.ts';
import { submit } from '../engine/submit.ts';
import { type OrderFacts, lastTransaction } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { getOrder } from '../show/order-answer.ts';
import { type NewOrder, retryOrder } from './accept-store.ts';
import type { OrderRouteRequest } from './attempt.ts';
import { unlessRaced } from './begin.ts';
import { newOrder, refuseUse } from './new-order.ts';
import { asOrder } from './retry.ts';
import { readTerms } from './terms.ts';

/** Longer than it takes to accept a try. */
const LEASE_S = 20;
/** Something of the order is open, or another order of the same purchase is: looked at again. */
const LATER_S = 3600;
/** Another process moved the order just now. */
const SOON_S = 60;

export type LaterTries = {
  /** Takes what is due and begins it; the calls go on behind it. Answers whether there may be more at once. */
  look(room: number): Promise<boolean>;
  /** Done when nothing is under way. */
  drain(): Promise<void>;
};

export function makeLaterTries(tools: Tools): LaterTries {
  const calls = new Set<Promise<unknown>>();
  const begin = async (of: OfOrder) => {
    const call = await lookAt(tools, of).catch((error: unknown) => {
      tools.log.error({ order_id: of.order_id, error: String(error) }, 'a later try will be looked at again');
    });
    if (!call) return;
    // what went wrong is logged where the call runs; recovery goes on with it
    const ended: Promise<unknown> = Promise.allSettled([call.settled]).then(() => calls.delete(ended));
    calls.add(ended);
  };
  return {
    look: async (most) => {
      const room = most - calls.size;
      const claimed = room > 0 ? await claimRetries(tools.db.looks, { room, lease_s: LEASE_S }) : [];
      if (claimed.length > 0) tools.crash.at('claim_committed');
      await Promise.all(claimed.map(begin));
      return claimed.length === room && room > 0;
    },
    drain: async () => {
      await Promise.all(calls);
    },
  };
}

type OfOrder = { readonly merchant_account_id: string; readonly order_id: string };
type Call = { readonly settled: Promise<unknown> };

/** The call that was begun; undefined: none was, and what is due is put off or has ended. */
async function lookAt(tools: Tools, of: OfOrder): Promise<Call | undefined> {
  const db = tools.db.tenant(of.merchant_account_id);
  const [order, account] = await Promise.all([findOrder(db, of.order_id), findAccount(tools, of.merchant_account_id)]);
  if (!order?.retry || !account) return undefined;
  const next = await verdictOf(tools, order);
  if (next === 'try') return tryLater(tools, order, account);
  if (typeof next === 'number') await postponeRetry(db, of, next);
  else await endRetry(db, of, { ending: next.ending, from: [next.from] });
  return undefined;
}

type Verdict = 'try' | number | { readonly ending: Ending; readonly from: 'waiting' | 'running' };

/** Seconds: it is looked at again after so long. */
async function verdictOf(tools: Tools, order: OrderFacts): Promise<Verdict> {
  const { retry, merchant_account_id } = order;
  if (!retry || retry.state === 'ended') return LATER_S;
  const from = retry.state;
  const open = order.operations.some((operation) => !isFinal(operation));
  if (open || (order.live && order.winner_id === null)) return LATER_S;
  if (order.contradictions.length > 0) return { ending: 'undecided', from };
  // the commit that ends a try says what follows; one that was ended in another way is not followed
  if (from === 'running') return { ending: order.winner_id === null ? 'undecided' : 'approved', from };
  if (order.winner_id !== null || order.status !== 'authorization_declined') return { ending: 'undecided', from };
  if (Date.parse(retry.until) < tools.clock.now().getTime()) return { ending: 'days_over', from };
  if (retry.next_at !== null && Date.parse(retry.next_at) > tools.clock.now().getTime())
    return (Date.parse(retry.next_at) - tools.clock.now().getTime()) / 1000;
  const rival = await findRival(tools.db.tenant(merchant_account_id), { merchant_account_id, order_id: order.id });
  if (!rival) return 'try';
  return rival.paid ? { ending: 'paid_elsewhere', from } : LATER_S;
}

async function tryLater(tools: Tools, order: OrderFacts, account: Account): Promise<Call | undefined> {
  const { id: order_id, merchant_account_id } = order;
  const of = { merchant_account_id, order_id };
  const db = tools.db.tenant(merchant_account_id);
  const next = await attemptOf(tools, order, account);
  if ('ending' in next) {
    await endRetry(db, of, { ending: next.ending, from: ['waiting'] });
    return undefined;
  }
  tools.crash.at('t1_before');
  const attempt = order.transactions.length + 1;
  const begun = await unlessRaced(() =>
    retryOrder(tools.db, merchant_account_id, {
      ...next,
      version: order.version,
      attempt,
      retries: 'takes',
      before: { otherwise: null, forgets: null },
    }),
  );
  if (begun === 'overtaken') await postponeRetry(db, of, SOON_S);
  else if (begun !== 'begun') await holdBack(tools, order, { ...begun.held, who: 'later' });
  if (begun !== 'begun') return undefined;
  tools.crash.at('t1_committed');
  return afterCommit(async () => {
    const facts = await getOrder(tools, merchant_account_id, order_id);
    const { operation_id, token_hash, fallbacks } = next;
    if (operation_id === null) return undefined;
    return { settled: submit(tools, facts, { account, token_hash, fallbacks, operation_id }) };
  });
}

/** The attempt that a PUT with the same card would ask for. */
async function attemptOf(
  tools: Tools,
  order: OrderFacts,
  account: Account,
): Promise<NewOrder | { readonly ending: Ending }> {
  const { merchant_account_id, id: order_id } = order;
  const before = lastTransaction(order);
  const db = tools.db.tenant(merchant_account_id);
  const token_hash = (await findTokenHash(db, { order_id, transaction_id: before.id })) ?? '';
  const card = await usableCard(tools, { token_hash, merchant_account_id, checkout_id: null });
  if (!card) return { ending: 'card_removed' };
  const request = asOrder(nobodys(account), order);
  const terms = readTerms({ ...request, body: { ...request.body, token: '' } }, NO_CONTEXT);
  try {
    refuseUse(request, terms, card);
  } catch (error) {
    // the account's settings or the token changed: the merchant's to look at
    if (error instanceof Refusal) return { ending: 'refused' };
    throw error;
  }
  const risk = await assess(tools, { account, order_id, terms, card });
  const attempt = order.transactions.length + 1;
  const stored = { ...terms, own: terms.body };
  // the balance is the same everywhere; only trouble of a provider is a reason for another one
  const same = order.retry?.cause === 'funds' || order.retry?.cause === 'advice' ? before.contract_id : null;
  return newOrder(tools, {
    request,
    route: '',
    terms: stored,
    card,
    fingerprint: '',
    token_hash,
    risk,
    attempt,
    later: { contract_id: same },
  });
}

const NO_CONTEXT = {
  checkout: null,
  spent_by: null,
  spent_fingerprint: null,
  used_key: null,
  in_process: null,
  waiting: null,
};

/** The request of an attempt that no caller asked for. */
function nobodys(account: Account): OrderRouteRequest {
  return {
    caller: account,
    body: {},
    query: undefined,
    params: {},
    path: '/payment/order/:order_id',
    request_id: '',
    client_ip: '',
    headers: {},
    idempotency_key: undefined,
    canonical: () => '',
    wait_s: undefined,
    reading: new Reading(false),
  };
}

/**
 * The limits of the card's scheme forbid it: nothing is sent, and later tries end unless the scheme only wants them
 * later.
 */
async function holdBack(tools: Tools, order: OrderFacts, held: HeldNote): Promise<void> {
  const { merchant_account_id, id: order_id, retry } = order;
  const of = { merchant_account_id, order_id };
  await tools.db.begin(merchant_account_id, async (tx) => {
    const later = held.why === 'too_early' ? new Date(held.until) : undefined;
    if (later && retry && later <= new Date(retry.until)) return deferRetry(tx, of, later);
    const ending = later ? 'days_over' : held.why === 'stopped' ? 'stopped' : 'limit_reached';
    if (await endRetry(tx, of, { ending, from: ['waiting'] })) await noteHeld(tx, of, held);
    return undefined;
  });
}
