// One attempt to pay an order, from the request to the answer: a new order (POST), or another attempt for an order that
// was declined (PUT). Both take the same steps: look for an equal request before, then the terms, the card and the
// risk; commit the intent; send it; answer. docs/decisions/0063 says where the two differ on purpose.
import { sha256 } from '../../../kit/crypto.ts';
import { afterCommit } from '../../../kit/database.ts';
import { isRepeat, repeatOf } from '../../../kit/http/idempotency.ts';
import { refuseProblems } from '../../../core/refusals.ts';
import type { Answer, Repeated, RouteRequest } from '../../../kit/http/route.ts';
import { usableCard } from '../../customer/of-order.ts';
import type { Account } from '../../merchant/account.ts';
import type { Begun } from '../../declines/guard.ts';
import { assess } from '../../risk/assess.ts';
import type { Tools } from '../../tools.ts';
import { acceptedFacts } from './accepted.ts';
import { answerOrder, answerStored, getOrder } from '../show/order-answer.ts';
import { endWaiting } from './conclude.ts';
import type { OrderFacts } from '../facts/order-facts.ts';
import { sentBefore } from '../facts/attempt-fields.ts';
import { type OrderContext, findOrderContext } from '../facts/order-context-store.ts';
import type { OrderRequest, StoredOrder } from './request.ts';
import { type Started, authenticate, submit } from '../engine/submit.ts';
import { type Terms, readTerms, refuseSubscription } from './terms.ts';
import { refuseInProcess } from './in-process.ts';
import { newOrder, refuseUse, unusableToken } from './new-order.ts';
import { type NewOrder, acceptOrder, retryOrder } from './accept-store.ts';
import { begin } from './begin.ts';

export type OrderRouteRequest = RouteRequest<Account, OrderRequest, unknown>;

export type Attempt = {
  /** The request in the form of a request for a new order. */
  readonly request: OrderRouteRequest;
  /** The fields of the request itself, without those of the order that is tried again. */
  readonly given: OrderRequest;
  /** The scope of an Idempotency-Key: method and full path. */
  readonly route: string;
  /** The order that is tried again; undefined: a new one. */
  readonly order: OrderFacts | undefined;
  /** Refusals that only a retry knows, before and after its terms are read. */
  readonly refuseState?: () => void;
  readonly refuseAttempts?: (terms: Terms) => void;
};

/** How often the order is looked at again when another request was quicker; each time something has changed. */
const MAX_ROUNDS = 5;

/** `read` says what is asked for, each round anew: the order may have changed. */
export async function payOrder(tools: Tools, read: () => Promise<Attempt>): Promise<Answer> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const answer = await tryOnce(tools, await read());
    if (answer) return answer;
  }
  throw new Error('an attempt could neither be accepted nor refused');
}

/** Undefined: another request was quicker; the next round finds what it left. */
async function tryOnce(tools: Tools, attempt: Attempt): Promise<Answer | undefined> {
  const { request, order } = attempt;
  const { merchant_account_id } = request.caller;
  const db = tools.db.tenant(merchant_account_id);
  const prints = fingerprintsOf(attempt);
  const context = await findContext(tools, attempt, prints);
  const earlier = earlierOrder(context, prints, order?.id);
  if (earlier !== undefined) return answerStored(tools, request, earlier);
  const refusal = refuseProblems(request.reading.problems);
  if (refusal) throw refusal;
  attempt.refuseState?.();
  const terms = readTerms(request, context);
  await refuseInProcess(db, context.in_process, request.body.checkout_id ?? null);
  attempt.refuseAttempts?.(terms);
  const { token_hash } = prints;
  const checkout_id = request.body.checkout_id ?? null;
  const card = await usableCard(tools, { token_hash, merchant_account_id, checkout_id });
  if (!card || context.spent_by !== null) return answerUnusable(tools, attempt, prints);
  refuseUse(request, terms, card);
  // what the order has brought is not checked again: its subscription may be known by its earlier card alone
  await refuseSubscription(db, attempt.given, { ...context, card });
  const order_id = order?.id ?? tools.chance.id();
  const risk = await assess(tools, { account: request.caller, order_id, terms, card });
  // a retry stores everything: what the attempt before was given holds for this one too
  const stored = order ? { ...terms, own: terms.body } : terms;
  const number = (order?.transactions.length ?? 0) + 1;
  const made = { request, route: attempt.route, terms: stored, card, ...prints, risk, attempt: number };
  const next = newOrder(tools, made);
  // of a retry, an equal one may have begun meanwhile: the order is not in its own way
  const waiting = context.waiting?.filter((id) => id !== order?.id) ?? [];
  if (!(await endWaiting(tools, merchant_account_id, waiting))) return undefined;
  tools.crash.at('t1_before');
  const begun = await begin(next, (one) => accept(tools, attempt, one));
  if (!begun) return undefined;
  tools.db.acknowledged(merchant_account_id, order_id);
  tools.crash.at('t1_committed');
  return afterCommit(async () => {
    const facts = await factsOf(tools, { attempt, next: begun, terms });
    return answerOrder(tools, request, { facts, ...start(tools, facts, { next: begun, account: request.caller }) });
  });
}

type Prints = { readonly fingerprint: string; readonly token_hash: string };

/**
 * The order that an equal request made, where this one would be refused by what has changed since, such as hosts to
 * which payers may be led: what was done is not said to be refused. `order_id`: of the order that is tried again;
 * undefined: a new one.
 */
export async function replayAttempt(
  tools: Tools,
  request: Repeated<Account, OrderRequest>,
  { route, order_id }: { readonly route: string; readonly order_id?: string },
): Promise<Answer | undefined> {
  const { body, idempotency_key } = request;
  // an equal one is known by its key or by its token
  if (idempotency_key === undefined && body.token === undefined) return undefined;
  const prints = fingerprintsOf({ request, given: body });
  const context = await findContext(tools, { request, route }, prints);
  if (context.used_key && !isRepeat(context.used_key, prints)) return undefined;
  const earlier = earlierOrder(context, prints, order_id);
  return earlier === undefined ? undefined : answerStored(tools, request, earlier);
}

type Printed = { readonly request: Pick<OrderRouteRequest, 'canonical'>; readonly given: OrderRequest };

function fingerprintsOf({ request, given: { token } }: Printed): Prints {
  const token_hash = token === undefined ? '' : sha256(Buffer.from(token, 'hex'));
  return { fingerprint: sha256(request.canonical()), token_hash };
}

type Asking = {
  readonly request: Pick<OrderRouteRequest, 'body' | 'caller' | 'idempotency_key'>;
  readonly route: string;
};

function findContext(tools: Tools, { request, route }: Asking, { token_hash }: Prints): Promise<OrderContext> {
  const { body, caller, idempotency_key } = request;
  return findOrderContext(tools.db.tenant(caller.merchant_account_id), {
    checkout_id: body.checkout_id ?? null,
    token_hash: token_hash || null,
    order_merchant_id: body.order_merchant_id ?? null,
    route,
    key: idempotency_key ?? null,
    unique: caller.settings.unique_order_merchant_id,
  });
}

/** The order that an Idempotency-Key or a spent one-shot token already made, when the request is the same one. */
function earlierOrder(context: OrderContext, { fingerprint }: Prints, order_id?: string): string | undefined {
  const { spent_by, spent_fingerprint } = context;
  const used = repeatOf(context.used_key ?? undefined, { fingerprint });
  if (used) return used.object_id;
  const is_same = spent_by !== null && spent_fingerprint === fingerprint.slice(0, 32);
  return is_same && (order_id === undefined || spent_by === order_id) ? spent_by : undefined;
}

/**
 * An equal request may have spent the token since: then its order is the answer. Every unusable token takes this way,
 * so that none can be told from another by content or time.
 */
async function answerUnusable(tools: Tools, attempt: Attempt, prints: Prints): Promise<Answer> {
  const made = earlierOrder(await findContext(tools, attempt, prints), prints, attempt.order?.id);
  if (made === undefined) throw unusableToken();
  return answerStored(tools, attempt.request, made);
}

function accept(tools: Tools, { request, order }: Attempt, next: NewOrder): Promise<Begun> {
  const { merchant_account_id } = request.caller;
  if (!order) return acceptOrder(tools.db, merchant_account_id, next);
  const { id: order_id, version, transactions, retry } = order;
  const attempt = transactions.length + 1;
  const retries = retry?.state === 'waiting' ? 'ends' : null;
  const before = sentBefore(order, { ...next, body: JSON.parse(next.body) as StoredOrder });
  return retryOrder(tools.db, merchant_account_id, { ...next, order_id, version, attempt, retries, before });
}

type Accepted = { readonly attempt: Attempt; readonly next: NewOrder; readonly terms: Terms };

/** A new order without authentication is known without a read. */
async function factsOf(tools: Tools, { attempt, next, terms }: Accepted): Promise<OrderFacts> {
  const { merchant_account_id } = attempt.request.caller;
  if (!attempt.order && !next.authentication) return acceptedFacts(next, terms, merchant_account_id);
  return getOrder(tools, merchant_account_id, next.order_id);
}

type Accepting = { readonly next: NewOrder; readonly account: Account };

/** Starts an accepted attempt: with the payer's authentication, at the provider, or with nothing. */
function start(tools: Tools, facts: OrderFacts, { next, account }: Accepting): Started {
  const { token_hash, fallbacks, operation_id } = next;
  const submitted = { account, token_hash, fallbacks };
  if (next.authentication) return authenticate(tools, facts, submitted);
  const asked = Promise.resolve(facts);
  return { asked, settled: operation_id === null ? asked : submit(tools, facts, { ...submitted, operation_id }) };
}
