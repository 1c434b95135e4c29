// Commits what was learnt about an operation: decide, then one statement. Whoever is second finds the work done.
import { type Along, type TenantRunner, storable, together } from '../../kit/database.ts';
import { keepNetworkReference } from '../customer/subscription/store.ts';
import type { Tools } from '../tools.ts';
import type { Contract } from '../merchant/account.ts';
import { cascade, mayCascade } from './attempt/cascade.ts';
import { askPayer, mayAskPayer } from './attempt/soft-decline.ts';
import { contradict } from './contradiction/open.ts';
import { EARLY, decide } from './decide.ts';
import {
  type Decision,
  type Observation,
  type Policy,
  type Settlement,
  isFinal,
  postingLines,
} from './decide/decision.ts';
import type { OperationFacts, OrderFacts } from './read/facts.ts';
import { findOrder } from './read/store.ts';
import { settledFacts } from './read/settled.ts';
import { type SettleFacts, type Settled, settle, settleIn } from './store.ts';
import { note } from './queue/store.ts';

export type Learnt = {
  readonly operation: OperationFacts;
  readonly observation: Observation;
  /** What time allows to conclude; early, where nothing is said. */
  readonly policy?: Policy;
  /** Where to try next if this provider's own trouble ends it. */
  readonly fallback?: Contract | undefined;
  /** The caller goes on with what an end brings; otherwise the worker does. */
  readonly continued?: true;
  /** When to look again if nothing final was learnt; the worker stretches it with every try. */
  readonly retry_s?: number | undefined;
  /** Done in the commit that settles; what settles nothing is done without it. */
  readonly also?: Along;
};

/** Each time somebody else was quicker, the order has moved; an order does not move for ever. */
const MAX_ROUNDS = 20;

/** Answers the facts of the order after the commit. Any process may call it, any number of times. */
export async function record(tools: Tools, order: OrderFacts, learnt: Learnt): Promise<OrderFacts> {
  const db = tools.db.tenant(order.merchant_account_id);
  let seen = order;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const operation = seen.operations.find(({ id }) => id === learnt.operation.id);
    if (!operation) throw new Error(`order ${order.id} has no operation ${learnt.operation.id}`);
    const decision = decide(seen, operation, { seen: learnt.observation.outcome, policy: learnt.policy ?? EARLY });
    tell(tools, { order, operation, decision });
    // while it is open, news of the same operation is evidence for whoever ends it, and moves nothing by itself
    const known = isFinal(operation) && seen.contradictions.some(({ operation_id }) => operation_id === operation.id);
    if (decision.kind === 'contradict' && !known) {
      if (await contradict(tools, seen, { operation, decision, seen: told(learnt.observation) }))
        return (await findOrder(db, order.id)) ?? seen;
      seen = (await findOrder(db, order.id)) ?? seen;
      continue;
    }
    if (decision.kind !== 'settle' || known) return noted(tools, seen, { ...learnt, operation, decision });
    const { outcome } = learnt.observation;
    const dead = decision.attempt_dead && !seen.cancel_pending && 'result' in outcome && mayCascade(outcome.result);
    const written = settleFacts(tools, {
      order: seen,
      operation,
      observation: learnt.observation,
      settlement: decision,
    });
    if (decision.attempt_dead && mayAskPayer(tools, seen, { operation, outcome })) {
      const asked = await askPayer(tools, { order: seen, operation, written, continued: learnt.continued === true });
      seen = (await findOrder(db, order.id)) ?? seen;
      if (asked) return seen;
      continue;
    }
    if (dead && learnt.fallback) {
      const next = await cascade(tools, { order: seen, operation, written, to: learnt.fallback });
      seen = (await findOrder(db, order.id)) ?? seen;
      if (next) return seen;
      continue;
    }
    const writing = write(tools, { seen, operation, outcome, written, also: learnt.also });
    tools.crash.during('t2_in_commit');
    const done = await writing;
    tools.crash.at('t2_committed');
    if (done) {
      if (decision.follow?.state === 'requested') tools.waker.wake();
      return settledFacts(seen, written, done);
    }
    seen = (await findOrder(db, order.id)) ?? seen;
  }
  throw new Error(`order ${order.id} moved ${MAX_ROUNDS} times while an outcome was written`);
}

type Settling = {
  readonly seen: OrderFacts;
  readonly operation: OperationFacts;
  readonly outcome: Observation['outcome'];
  readonly written: SettleFacts;
  readonly also: Along | undefined;
};

/** One statement, unless more must be in the same commit: the scheme's id of a subscription's first payment, a person's record. */
function write(tools: Tools, { seen, operation, outcome, written, also }: Settling): Promise<Settled | undefined> {
  const { merchant_account_id, id: order_id, body } = seen;
  const { subscription_id } = body;
  const approved =
    operation.kind === 'authorize' && written.settlement.state === 'successful' && outcome.kind === 'approved';
  const reference = approved ? outcome.network_reference : undefined;
  const kept =
    reference !== undefined && typeof subscription_id === 'string'
      ? { merchant_account_id, subscription_id, order_id, reference }
      : undefined;
  if (!kept && !also) return settle(tools.db.tenant(merchant_account_id), written);
  return together(tools.db, merchant_account_id, async (tx) => {
    const done = await settleIn(tx, merchant_account_id, written);
    if (done && kept) await keepNetworkReference(tx, kept);
    if (done && also) await also(tx);
    return done;
  });
}

type Noting = Learnt & { readonly decision: Decision };

/** Evidence first: an observation is kept, also when it changes nothing (engine.md rule 7). */
async function noted(
  tools: Tools,
  order: OrderFacts,
  { operation, observation, decision, retry_s }: Noting,
): Promise<OrderFacts> {
  if (observation.outcome.kind === 'cancel_wanted') return order;
  const { state, waits_for } = decision.kind === 'note' ? decision : operation;
  const db = tools.db.tenant(order.merchant_account_id);
  await noteSeen(db, order, { operation: { ...operation, state, waits_for }, observation, retry_s });
  const operations = order.operations.map((o) => (o.id === operation.id ? { ...o, state, waits_for } : o));
  return { ...order, operations };
}

type Seeing = Pick<Learnt, 'operation' | 'observation' | 'retry_s'>;

/** The evidence alone, with the state that an open operation has from now on. */
export async function noteSeen(
  db: TenantRunner,
  order: OrderFacts,
  { operation, observation, retry_s }: Seeing,
): Promise<void> {
  await note(db, {
    ...told(observation),
    state: operation.state,
    waits_for: operation.waits_for,
    order_id: order.id,
    operation_id: operation.id,
    transaction_id: operation.transaction_id,
    retry_s: retry_s ?? FIRST_RETRY_S,
    detail: detailOf(observation),
  });
}

/** The first look after the call itself. */
const FIRST_RETRY_S = 2;

function tell(
  tools: Tools,
  { order, operation, decision }: { order: OrderFacts; operation: OperationFacts; decision: Decision },
): void {
  const alert = decision.alert;
  if (alert) tools.log.error({ order_id: order.id, operation_id: operation.id, kind: operation.kind, alert }, alert);
}

type Writing = {
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly observation: Observation;
  readonly settlement: Settlement;
};

/** What a settlement is written from. */
export function settleFacts(
  tools: Tools,
  { order, operation, observation, settlement: decided }: Writing,
): SettleFacts {
  const settlement = observation.reason === undefined ? decided : { ...decided, reason: observation.reason };
  const follow_id = settlement.follow ? tools.chance.id() : null;
  const { outcome } = observation;
  const approved = outcome.kind === 'approved' ? outcome : undefined;
  const applied = isFinal(settlement) ? approved : undefined;
  return {
    order_id: order.id,
    version: order.version,
    operation_id: operation.id,
    transaction_id: operation.transaction_id,
    follow_id,
    provider: order.transactions.find(({ id }) => id === operation.transaction_id)?.provider ?? '',
    settlement,
    postings: postingLines(settlement, { operation: operation.id, follow: follow_id }),
    request_id: operation.request_id,
    ...told(observation),
    provider_text: 'provider_text' in outcome ? masked(outcome.provider_text) : null,
    authorization_code: storable(applied?.authorization_code ?? '') || null,
    seen_amount_minor: approved?.amount_minor ?? null,
    seen_currency: approved?.currency ?? null,
    risk_score: applied?.risk_score ?? null,
  };
}

export type ToldFacts = ReturnType<typeof told>;

function told({ source, outcome, answer }: Observation) {
  return {
    source,
    // a wish of our own: of the provider nothing was learnt
    outcome: outcome.kind === 'cancel_wanted' ? 'unknown' : outcome.kind,
    provider_ref: 'reference' in outcome && outcome.reference !== null ? storable(outcome.reference) : null,
    provider_code: 'provider_code' in outcome ? storable(outcome.provider_code) : null,
    http_status: answer?.status ?? null,
    answer: answer?.text ?? null,
  };
}

function detailOf({ outcome }: Observation): string | null {
  return outcome.kind === 'unknown' ? JSON.stringify({ why: outcome.why }) : null;
}

/** Provider texts are shown with runs of digits masked (providers.md 2.2, rule 9), and without what no database keeps. */
function masked(text: string): string {
  return storable(text).replace(/\d{7,}/g, (digits) => '#'.repeat(digits.length));
}
