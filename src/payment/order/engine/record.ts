// Commits what was learnt about an operation: it plans the change, then does it in one commit. If another process
// changed the order meanwhile, it plans again. Any process may call it, any number of times: the second call finds the
// work done.
import { NO_ORIGIN } from '../../../core/origin/origins.ts';
import { type InCommit, type TenantRunner, violated, withTransaction } from '../../../kit/database.ts';
import { keepNetworkReference } from '../../customer/subscription/store.ts';
import { classOf } from '../../../core/retries/classes.ts';
import { dayOf } from '../../../core/retries/day.ts';
import { zoneOfCountry } from '../../../core/zone.ts';
import type { HeldNote } from '../../declines/held.ts';
import { receiptDue } from '../receipt/due.ts';
import { writeReceipt } from '../receipt/write.ts';
import type { Tools } from '../../tools.ts';
import { moveRetry } from '../retries/store.ts';
import { settledFacts } from '../facts/settled.ts';
import { cascade } from './cascade.ts';
import { askPayer } from './soft-decline.ts';
import { contradict } from './contradict.ts';
import { note } from './queue-store.ts';
import { endAtProvider, isUnseenRun, noteUnseenRun, toPayer, visitEndedBy } from './to-payer.ts';
import { type OrderFacts, transactionOf } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { type Learnt, type Means, type Plan, observed, planRecord } from './record-plan.ts';
import { type Settled, settle, settleIn } from './settle-store.ts';

export type Recording = Learnt & {
  /** The caller itself continues with what follows an end; otherwise the worker does. */
  readonly continued?: true;
  /** Seconds until the next look, if nothing final was learnt; the worker waits longer after each try. */
  readonly retry_s?: number | undefined;
  /** Runs in the commit of a settlement; without a settlement it does not run. */
  readonly also?: InCommit;
};

/** Each round that fails means that another process changed the order; no order changes this often. */
const MAX_ROUNDS = 20;

/** Answers the facts of the order after the commit. */
export async function record(tools: Tools, order: OrderFacts, recording: Recording): Promise<OrderFacts> {
  let current = order;
  let paid_elsewhere = false;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const means = meansOf(tools, current, recording);
    const plan = planRecord(current, { ...recording, paid_elsewhere }, means);
    log(tools, current, plan);
    const done = await carryOut(tools, current, { ...recording, plan }).catch((error: unknown) => {
      if (violated(error) !== 'one_paid') throw error;
      paid_elsewhere = true;
      return undefined;
    });
    if (done) {
      if (plan.kind === 'settle' || plan.kind === 'cascade') tellDeclines(tools, current, recording);
      return done;
    }
    current = await readAgain(tools, current);
  }
  throw new Error(`order ${order.id} moved ${MAX_ROUNDS} times while an outcome was written`);
}

/**
 * The first transaction of an order counts for the health of its contract. Declines that the payer or a trouble caused
 * do not count.
 */
function tellDeclines(tools: Tools, order: OrderFacts, { operation, observation: { outcome } }: Recording): void {
  const [first] = order.transactions;
  if (operation.kind !== 'authorize' || first?.id !== operation.transaction_id || first.foreign) return;
  const bad = outcome.kind === 'declined' && classOf(outcome.result).counts_for_health === 'decline';
  const { contract_id, provider, payment_method_name: scheme } = first;
  if (contract_id === null || (outcome.kind !== 'approved' && !bad)) return;
  const { merchant_account_id } = order;
  const card = [merchant_account_id, first.first6, first.last4, first.exp_month, first.exp_year].join(' ');
  tools.breaker.decided({ merchant_account_id, contract_id, provider, scheme, card, bad });
}

function meansOf(tools: Tools, order: OrderFacts, { operation }: Recording): Means {
  const transaction = transactionOf(order, operation);
  const can = tools.providers.get(transaction?.provider ?? '')?.can;
  const now = tools.clock.now();
  return {
    follow_id: tools.chance.id(),
    // a provider that runs 3-D Secure itself sends the payer to its own page
    may_authenticate: tools.authenticator !== undefined && can?.three_ds.includes('redirect') === false,
    captures_itself: can?.sale === 'hold_then_capture',
    day: dayOf(now),
    later: {
      now,
      zone: () => {
        const { country } = transaction ? tools.origins.cardOf(transaction) : NO_ORIGIN;
        return zoneOfCountry(country ?? order.body['customer_country'] ?? '') ?? 'UTC';
      },
    },
  };
}

/** Undefined: the order changed since it was read, and nothing was done. */
async function carryOut(
  tools: Tools,
  order: OrderFacts,
  { plan, ...recording }: Recording & { readonly plan: Plan },
): Promise<OrderFacts | undefined> {
  const { operation } = plan;
  const { observation, continued = false, also } = recording;
  switch (plan.kind) {
    case 'nothing':
      return order;
    case 'note':
      return keepNote(tools, order, { ...recording, plan });
    case 'contradict': {
      const contradicting = { operation, decision: plan.contradiction, seen: observed(observation) };
      return (await contradict(tools, order, contradicting)) ? readAgain(tools, order) : undefined;
    }
    case 'to_payer':
      return (await toPayer(tools, order, plan)) ? readAgain(tools, order) : undefined;
    case 'ask_payer': {
      const asking = { order, operation, written: plan.facts, continued };
      return (await askPayer(tools, asking)) ? readAgain(tools, order) : undefined;
    }
    case 'cascade': {
      const next = await cascade(tools, { order, operation, written: plan.facts, to: plan.to });
      if (next && 'held' in next) return carryOut(tools, order, { ...recording, plan: withoutNext(plan, next.held) });
      return next === undefined ? undefined : readAgain(tools, order);
    }
    case 'settle': {
      const writing = write(tools, order, { plan, also });
      tools.crash.during('t2_in_commit');
      const done = await writing;
      tools.crash.at('t2_committed');
      if (!done) return undefined;
      if (plan.facts.settlement.follow?.state === 'requested') tools.wake_up.wake();
      if (visitEndedBy(order, plan) || isUnseenRun(order, plan) || plan.retry) return readAgain(tools, order);
      return settledFacts(order, plan.facts, done);
    }
  }
}

/** The cascade ends here: the decline is final for this attempt, and the order ends with it. */
function withoutNext({ operation, alert, facts, retry }: PlanOf<'cascade'>, held: HeldNote): PlanOf<'settle'> {
  const counting = facts.counting && { ...facts.counting, held };
  return { kind: 'settle', operation, alert, facts: { ...facts, counting }, network_reference: undefined, retry };
}

type PlanOf<K extends Plan['kind']> = Extract<Plan, { readonly kind: K }>;

/**
 * Settles in one statement, unless more must be in the same commit: the scheme's id of a subscription's first payment,
 * a later try, a receipt, the authentication that the provider made of it.
 */
function write(
  tools: Tools,
  order: OrderFacts,
  { plan, also }: { readonly plan: PlanOf<'settle'>; readonly also: InCommit | undefined },
): Promise<Settled | undefined> {
  const { merchant_account_id, id: order_id } = order;
  const { facts, network_reference, retry } = plan;
  const ended = visitEndedBy(order, plan);
  const unseen = isUnseenRun(order, plan);
  const receipt = receiptDue(tools, order, facts);
  if (!network_reference && !also && !ended && !unseen && !retry && !receipt)
    return settle(tools.db.tenant(merchant_account_id), facts);
  return withTransaction(tools.db, merchant_account_id, async (tx) => {
    const done = await settleIn(tx, merchant_account_id, facts);
    if (!done) return undefined;
    if (network_reference) await keepNetworkReference(tx, { ...network_reference, merchant_account_id, order_id });
    if (receipt) await writeReceipt(tools, tx, { ...receipt, at: done.at });
    if (retry) await moveRetry(tx, { merchant_account_id, order_id }, retry);
    if (ended) await endAtProvider(tx, order, { ...ended, liability_shifted: facts.liability_shifted });
    if (unseen) await noteUnseenRun(tools, tx, { order, ...plan });
    await also?.(tx);
    return done;
  });
}

/** Evidence first: the observation is kept even if it changes nothing. */
async function keepNote(
  tools: Tools,
  order: OrderFacts,
  { plan, observation, retry_s }: Recording & { readonly plan: PlanOf<'note'> },
): Promise<OrderFacts> {
  const { operation, state, waits_for } = plan;
  const db = tools.db.tenant(order.merchant_account_id);
  const key_round = operation.key_round + (plan.new_key === true ? 1 : 0);
  await noteSeen(db, order, { operation: { ...operation, state, waits_for, key_round }, observation, retry_s });
  const operations = order.operations.map((o) => (o.id === operation.id ? { ...o, state, waits_for, key_round } : o));
  return { ...order, operations };
}

type Seeing = Pick<Recording, 'operation' | 'observation' | 'retry_s'>;

/** Stores the evidence and the new state of an open operation, and nothing else. */
export async function noteSeen(
  db: TenantRunner,
  order: OrderFacts,
  { operation, observation, retry_s }: Seeing,
): Promise<void> {
  const { outcome } = observation;
  await note(db, {
    ...observed(observation),
    state: operation.state,
    waits_for: operation.waits_for,
    key_round: operation.key_round,
    sent_at: operation.sent_at,
    order_id: order.id,
    operation_id: operation.id,
    transaction_id: operation.transaction_id,
    retry_s: retry_s ?? FIRST_RETRY_S,
    detail: outcome.kind === 'unknown' ? JSON.stringify({ why: outcome.why }) : null,
  });
}

/** Seconds from the call to the first look. */
const FIRST_RETRY_S = 2;

export async function readAgain(tools: Tools, order: OrderFacts): Promise<OrderFacts> {
  return (await findOrder(tools.db.tenant(order.merchant_account_id), order.id)) ?? order;
}

function log(tools: Tools, { id: order_id }: OrderFacts, { operation, alert }: Plan): void {
  if (alert) tools.log.error({ order_id, operation_id: operation.id, kind: operation.kind, alert }, alert);
}
