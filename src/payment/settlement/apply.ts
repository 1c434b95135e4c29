// Applies a stored item of a message: it is matched, and its news goes through the same pure decision as an answer. An
// item that is not understood, not matched, or that may not decide is parked: stored, and shown to people.
import type { Capabilities } from '../../provider/capabilities.ts';
import type { Provider } from '../../provider/contract.ts';
import type { Dispute, Hearsay, News, Notice } from '../../provider/notices.ts';
import { type Seen, isFinal } from '../order/decide/decision.ts';
import { UNKNOWN, inquire } from '../order/engine/inquire.ts';
import { canAskAbout, ofCapture, saleOf } from '../order/engine/provider-call.ts';
import { record } from '../order/engine/record.ts';
import { LEASE_S } from '../order/engine/recovery/recover.ts';
import { asPassed, lookAtClock, policyOf } from '../order/engine/recovery/waits.ts';
import { UNTIL } from '../order/engine/to-payer.ts';
import { expireAuthorization } from '../order/expiry/expire-authorization.ts';
import type { OperationFacts, OrderFacts } from '../order/facts/order-facts.ts';
import { findOrder } from '../order/facts/order-store.ts';
import { findObservations } from '../order/timeline/turns-store.ts';
import type { Tools } from '../tools.ts';
import { ofNoOperation, ofTheHold } from './elsewhere.ts';
import { type Matched, findMatch } from './match.ts';
import { type EventEnd, type WaitingEvent, claimWaitingEvents, endEvent, findEvent, wakeOperation } from './store.ts';

/**
 * Handles a dispute; false: it does not fit the order. Disputes are a noun of their own, which this one does not know.
 */
export type Disputing = (
  tools: Tools,
  order: OrderFacts,
  told: { readonly operation: OperationFacts; readonly provider: string; readonly dispute: Dispute },
) => Promise<boolean>;

/**
 * Takes up messages that were stored and not applied: their process died, or failed. Answers how many there were: one
 * that fails again holds up no other, and is looked at again behind them.
 */
export async function applyWaiting(tools: Tools, room: number, disputing: Disputing): Promise<number> {
  const waiting = await claimWaitingEvents(tools.db, room);
  for (const event of waiting) {
    const { provider, contract_id, event_ref } = event;
    await applyStored(tools, event, disputing).catch((error: unknown) =>
      tools.log.error(
        { provider, contract_id, event_ref, error: String(error) },
        'a message of a provider is left for later',
      ),
    );
  }
  return waiting.length;
}

async function applyStored(tools: Tools, event: WaitingEvent, disputing: Disputing): Promise<void> {
  const provider = tools.providers.get(event.provider);
  const db = tools.db.tenant(event.merchant_account_id);
  const stored = await findEvent(db, event);
  if (!provider?.notices || !stored) return;
  const notice = provider.notices.open(stored.body, {}).find(({ event_ref }) => event_ref === event.event_ref);
  if (notice) await applyNotice(tools, { event, provider, notice, disputing, is_old: stored.is_old });
  else await endEvent(db, event, { state: 'parked', reason: 'not understood any more', order_id: null });
}

export type Applying = {
  readonly event: WaitingEvent;
  readonly provider: Provider;
  readonly notice: Notice;
  readonly disputing: Disputing;
  /** It came a day ago, or more. */
  readonly is_old: boolean;
};

export async function applyNotice(tools: Tools, applying: Applying): Promise<void> {
  const { event, provider, notice } = applying;
  const end = await endOf(tools, applying);
  if (!end) return;
  if (end.state === 'parked') {
    const { contract_id, event_ref } = event;
    const about = { provider: provider.name, contract_id, event_ref, order_id: end.order_id, news: notice.news.kind };
    tools.log.error(about, `a message of a provider is parked: ${end.reason}`);
  }
  await endEvent(tools.db.tenant(event.merchant_account_id), event, end);
}

/** Undefined: not yet; it is looked at again. */
async function endOf(tools: Tools, applying: Applying): Promise<EventEnd | undefined> {
  const { event, provider, notice } = applying;
  const { match, news } = notice;
  if (news.kind === 'nothing') return NOTHING_TO_US;
  const is_odd = news.kind === 'not_understood';
  if (!match) return parked(is_odd ? 'not understood' : 'names no operation', null);
  const db = tools.db.tenant(event.merchant_account_id);
  const matched = await findMatch(db, { provider: provider.name, match, news: news.kind });
  if (is_odd) return parked('not understood', orderIn(matched));
  if (matched === 'too early') return undefined;
  const told = { provider, match, news, is_old: applying.is_old };
  if (!('operation' in matched)) {
    const order = matched.is_none && matched.order_id !== null ? await findOrder(db, matched.order_id) : undefined;
    const elsewhere = order && ofNoOperation(tools, order, told);
    return elsewhere ?? parked(matched.reason, matched.order_id);
  }
  const reason = misfit(matched, news, provider.can);
  if (reason !== undefined) return parked(reason, matched.order.id);
  return applyNews(tools, applying, matched);
}

function orderIn(matched: Awaited<ReturnType<typeof findMatch>>): string | null {
  if (matched === 'too early') return null;
  return 'operation' in matched ? matched.order.id : matched.order_id;
}

export const NOTHING_TO_US = { state: 'ignored', reason: 'nothing to us', order_id: null } as const;
const parked = (reason: string, order_id: string | null): EventEnd => ({ state: 'parked', reason, order_id });

async function applyNews(tools: Tools, applying: Applying, matched: Matched): Promise<EventEnd | undefined> {
  const { order, operation } = matched;
  const { merchant_account_id, id: order_id } = order;
  const { provider, is_old, notice } = applying;
  const { news, match } = notice;
  const applied: EventEnd = { state: 'applied', reason: null, order_id };
  if (news.kind === 'dispute') {
    const told = { operation, provider: applying.provider.name, dispute: news };
    const fits = await applying.disputing(tools, order, told);
    return fits ? applied : parked('a dispute that does not fit the order', order_id);
  }
  if (news.kind === 'lapsed') {
    const done = await expireAuthorization(tools, { merchant_account_id, order_id, told: true });
    return done ? applied : undefined;
  }
  if (isOutcome(news)) {
    await record(tools, order, {
      operation,
      policy: { in_flight_over: await isQuiet(tools, applying, matched), review_due: false },
      observation: { source: 'webhook', outcome: seenOf(news, matched, applying.provider.can) },
    });
    return applied;
  }
  // what the payer has to do is said by an answer; that it is so, an inquiry tells
  const denied = news.kind === 'look' && news.says && endedOtherwise(matched, news.says, provider.can);
  if (denied) return askWhetherSo(tools, applying.provider, { order, operation: denied });
  const of_hold = match && ofTheHold(tools, matched, { provider, match, news, is_old });
  if (of_hold) return of_hold;
  if (isFinal(operation)) return { state: 'ignored', reason: 'it has ended', order_id };
  await wakeOperation(tools.db.tenant(merchant_account_id), { order_id, operation_id: operation.id, lease_s: LEASE_S });
  tools.wake_up.wake();
  return applied;
}

/**
 * The operation whose end the message denies. A sale is told as its authorization, and so is a cancel. What we undo
 * ourselves was done before, and messages come in any order. The one capture that a provider takes may be another one,
 * and what ended a hold was no cancel that the provider itself has refused.
 */
function endedOtherwise(
  { order, operation }: Matched,
  says: Hearsay,
  { captures }: Pick<Capabilities, 'captures'>,
): OperationFacts | undefined {
  if (says === 'lapsed') return undefined;
  const own = order.operations.filter((one) => one.transaction_id === operation.transaction_id);
  const captured = own.find((one) => one.kind === 'capture' && one.target_id === operation.id);
  const cancelled = own.findLast((one) => one.kind === 'cancel' && one.origin === 'merchant');
  const about = says === 'undone' ? cancelled : (captured ?? operation);
  const is_undone = own.some((one) => one.kind === 'reversal' && one.target_id === about?.id);
  const is_another =
    about?.kind === 'capture' &&
    captures === 'one' &&
    own.some((one) => one.kind === 'capture' && one.id !== about.id && one.state === 'successful');
  const was_refused = says === 'undone' && (about?.provider_code ?? '') !== '';
  if (!about || !isFinal(about) || is_undone || is_another || was_refused) return undefined;
  return (about.state === 'successful') === (says === 'not_done') ? about : undefined;
}

/** The message alone is not believed; what the provider answers is, and it contradicts what is final here. */
async function askWhetherSo(tools: Tools, provider: Provider, { order, operation }: Matched): Promise<EventEnd> {
  const can_ask = canAskAbout(provider.can, order, operation);
  const heard = can_ask ? await inquire(tools, { provider, order, operation }) : UNKNOWN;
  if (heard.outcome.kind === 'unknown')
    return parked('the opposite of what is final here, and its provider does not say whether it is so', order.id);
  await record(tools, order, {
    operation,
    policy: { in_flight_over: false, review_due: false },
    observation: { ...heard, source: 'inquiry' },
  });
  return { state: 'applied', reason: null, order_id: order.id };
}

/**
 * Can nothing come any more? A message may come long after what it tells of: that nothing was there proves something
 * only if nothing could come any more when the operation was sent for the last time, and if it tells of that sending,
 * which the provider has accepted under this reference. Of an authorization that the provider has named itself it
 * proves nothing: that is there, and was not released. What a payer was sent away for has a name before it is there.
 * An approval that came while the authorization was being undone names it, too; it is among what was seen alone. Where
 * a payer was sent away, an answer may be about what the browser brought, which is another payment's: there the
 * provider's message counts alone. What the provider has said that it released, at an earlier reversal or at an earlier
 * sending of this one, is away, however late a message of its approval came.
 */
async function isQuiet(
  tools: Tools,
  { provider, notice: { news, match } }: Applying,
  { order, operation }: Matched,
): Promise<boolean> {
  const { provider_ref, waits_for, sent_at, created_at } = operation;
  if (news.kind !== 'not_found') {
    await lookAtClock(tools);
    return policyOf(asPassed(tools, order), operation, provider).in_flight_over;
  }
  if (waits_for !== 'provider' || match?.reference !== provider_ref) return false;
  if (!policyOf({ ...order, read_at: sent_at ?? created_at }, operation, provider).in_flight_over) return false;
  const seen = await findObservations(tools.db.tenant(order.merchant_account_id), [operation.transaction_id], null);
  const undoing = order.operations.filter((one) => one.target_id === operation.target_id);
  if (seen.some(({ operation_id, outcome }) => outcome === 'reversed' && undoing.some(({ id }) => id === operation_id)))
    return true;
  const undone = order.operations.find(({ id }) => id === operation.target_id);
  const payer_was_sent = undone?.kept[UNTIL] !== undefined;
  if (undone?.kind === 'authorize' && undone.provider_ref !== null && !payer_was_sent) return false;
  return !seen.some(
    ({ operation_id, outcome, source }) =>
      operation_id === operation.target_id && outcome === 'approved' && (source === 'webhook' || !payer_was_sent),
  );
}

/** News of the right operation that still must not move it: a person must look. */
function misfit({ order, operation }: Matched, news: News, can: Capabilities): string | undefined {
  // the end of an attempt that is over already says nothing of the one that holds the money now
  if (news.kind === 'lapsed' && isFinal(operation) && operation.id !== order.winner_id)
    return 'a lapse of an authorization that does not hold';
  if (news.kind !== 'corrected' || operation.state !== 'successful' || news.reference === null) return undefined;
  // a sale's capture is known by the reference of the sale
  const sale = order.operations.find(({ id }) => id === saleOf(order, operation, can));
  const done_by = operation.provider_ref ?? sale?.provider_ref;
  return news.reference === done_by ? undefined : 'a correction of what it did not do under that reference';
}

const NO_OUTCOME = ['dispute', 'lapsed', 'payer_must_act', 'look', 'nothing', 'not_understood'] as const;
type NewOutcome = Exclude<News, { readonly kind: (typeof NO_OUTCOME)[number] }>;

function isOutcome(news: News): news is NewOutcome {
  return !NO_OUTCOME.some((kind) => kind === news.kind);
}

/** The observation for decide(); a message about a sale's capture speaks of the sale. */
function seenOf(news: NewOutcome, { order, operation }: Matched, can: Capabilities): Seen {
  const sale_id = saleOf(order, operation, can);
  if (sale_id === undefined) return news;
  return ofCapture(news.kind === 'approved' ? { ...news, captured: true } : news, operation, sale_id);
}
