// Everything that happened to an order, in order: its statuses, the calls to its provider with what was sent and seen,
// and what people did.
import { toCount, toMinor } from '../../core/money.ts';
import { ENDINGS, type Ending } from '../../core/retries/policy.ts';
import { findResult } from '../../core/results.ts';
import { inquiryFacts, providerFacts } from '../../payment/order/engine/provider-call.ts';
import { keyOf } from '../../payment/order/engine/walk.ts';
import { type OperationFacts, type OrderFacts, providerNameOf } from '../../payment/order/facts/order-facts.ts';
import type { ObservationRow, Turn } from '../../payment/order/timeline/turns-store.ts';
import type { Tools } from '../../payment/tools.ts';
import type { RecordRow } from '../audit/store.ts';
import type { TimelineEntry } from '../wire/orders.ts';

type Happened = {
  readonly observations: readonly ObservationRow[];
  readonly records: readonly Omit<RecordRow, 'text'>[];
  readonly turns: readonly Turn[];
};

export function timelineOf(
  tools: Pick<Tools, 'providers'>,
  order: OrderFacts,
  { observations, records, turns }: Happened,
): readonly TimelineEntry[] {
  const entries = [
    ...order.events.map((event) => ofEvent(order, event)),
    ...turns.map((turn) => ofTurn(order, turn)),
    ...order.operations.map((operation) => ofCall(tools, order, operation)),
    ...observations.map((seen) => ofObservation(tools, order, seen)),
    ...records.map(ofRecord),
  ];
  const began = new Map(order.operations.map(({ id, created_at }) => [id, created_at]));
  const momentOf = ({ at, kind, title, operation_id }: TimelineEntry) =>
    (kind === 'person' && ASKS.test(title) ? began.get(operation_id ?? '') : undefined) ?? at;
  const placed = entries.map((entry) => ({ entry, at: momentOf(entry), rank: RANK[entry.kind] }));
  return placed.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.rank - b.rank)).map(({ entry }) => entry);
}

/** Written in the commit that makes the operation, a moment behind it: it stands where the operation begins. */
const ASKS = /^(?:capture|refund|cancel) requested$/;

/** At the same moment: a person asks, a call is made, a status follows. */
const RANK: Readonly<Record<TimelineEntry['kind'], number>> = { person: 0, call: 1, event: 2 };

const EMPTY = {
  code: null,
  code_text: null,
  operation_id: null,
  request_id: null,
  who: null,
  why: null,
  provider: null,
  provider_code: null,
  http_status: null,
  amount_minor: null,
  request: null,
  answer: null,
  read: null,
} as const;

function ofEvent(_: OrderFacts, { type, code, at, request_id }: OrderFacts['events'][number]): TimelineEntry {
  const code_text = code === null ? null : (findResult(code)?.description ?? null);
  return { ...EMPTY, at, kind: 'event', title: type, code, code_text, request_id };
}

/** A dispute that opened or turned, a contradiction of the provider, or the end of later tries. */
function ofTurn(order: OrderFacts, { at, type, operation_id, amount, why }: Turn): TimelineEntry {
  const operation = order.operations.find(({ id }) => id === operation_id);
  // that of the dispute that turned: a capture may have several
  const disputed = amount === null ? undefined : toMinor(amount, order.currency);
  const minor = disputed && 'minor' in disputed ? disputed.minor : operation?.amount_minor;
  return {
    ...EMPTY,
    at: at.toISOString(),
    kind: 'event',
    title: type,
    operation_id,
    why: type === 'order.retries_ended' ? endingText(why) : why,
    who: operation_id === null ? null : 'provider',
    provider: operation ? providerNameOf(order, operation) : null,
    amount_minor: minor === undefined ? null : toCount(minor),
  };
}

const endingText = (why: string) => (Object.hasOwn(ENDINGS, why) ? ENDINGS[why as Ending] : why);

/**
 * Writes a sent request again from the same facts, which gives the same bytes; the places of card data are named, not
 * filled.
 */
function ofCall(tools: Pick<Tools, 'providers'>, order: OrderFacts, operation: OperationFacts): TimelineEntry {
  const { id, kind, origin, created_at, amount_minor, request_id } = operation;
  const provider = providerNameOf(order, operation);
  const at = operation.sent_at ?? created_at;
  return {
    ...EMPTY,
    at,
    kind: 'call',
    title: origin === 'provider' ? `${kind} made at the site of ${provider}` : `${kind} sent to ${provider}`,
    operation_id: id,
    request_id,
    who: origin,
    provider,
    amount_minor: toCount(amount_minor),
    request: requestOf(tools, order, operation),
  };
}

function requestOf(tools: Pick<Tools, 'providers'>, order: OrderFacts, operation: OperationFacts): unknown {
  if (operation.origin === 'provider') return null;
  if (operation.waits_for !== 'call' && operation.provider_ref === null) return null;
  return written(tools, order, { operation, facts: providerFacts(order, operation) });
}

type Writing = { readonly operation: OperationFacts; readonly facts: ReturnType<typeof providerFacts> };

/** The request of the step that the operation has reached; for an inquiry, its first request. */
function written(tools: Pick<Tools, 'providers'>, order: OrderFacts, { operation, facts }: Writing): unknown {
  const provider = tools.providers.get(providerNameOf(order, operation));
  const step = (facts.kind === 'inquiry' ? null : operation.step) ?? provider?.first(facts);
  const call = step === undefined ? undefined : provider?.write(step, facts, operation.kept);
  if (!call || step === undefined) return null;
  const body = call.body.map((part) => (typeof part === 'string' ? part : `"[${part.slot}]"`)).join('');
  return {
    destination: providerNameOf(order, operation),
    step,
    ...call.values,
    idempotency_key: keyOf(operation, step),
    ...(body !== '' && { body: parsed(masked(body)) }),
  };
}

/** Runs of digits that could be a card's are shown as #; an id is hexadecimal, or longer. */
function masked(text: string): string {
  return text.replace(/(?<![0-9a-z])\d{12,19}(?![0-9a-z])/gi, (digits) => '#'.repeat(digits.length));
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replaceAll('""[', '"[').replaceAll(']""', ']"'));
    return value;
  } catch {
    return text;
  }
}

function ofObservation(tools: Pick<Tools, 'providers'>, order: OrderFacts, seen: ObservationRow): TimelineEntry {
  const operation = order.operations.find(({ id }) => id === seen.operation_id);
  const { provider_ref, provider_code, outcome, source, why } = seen;
  return {
    ...EMPTY,
    at: seen.at.toISOString(),
    kind: 'call',
    operation_id: seen.operation_id,
    title: `${source}: ${operation?.kind ?? 'operation'} ${outcome.replaceAll('_', ' ')}`,
    who: source,
    why,
    provider: operation ? providerNameOf(order, operation) : null,
    provider_code,
    http_status: seen.http_status,
    answer: seen.answer,
    amount_minor: seen.amount_minor === null ? null : toCount(seen.amount_minor),
    request: operation ? askedBy(tools, order, { source, operation }) : null,
    read: source === 'call' ? null : { outcome, provider_ref, provider_code, ...(why !== null && { why }) },
  };
}

/** The call that this was the answer to; a message that the provider sends by itself answers none. */
function askedBy(
  tools: Pick<Tools, 'providers'>,
  order: OrderFacts,
  { source, operation }: { readonly source: string; readonly operation: OperationFacts },
): unknown {
  const can = tools.providers.get(providerNameOf(order, operation))?.can;
  if (source === 'inquiry' && can)
    return written(tools, order, { operation, facts: inquiryFacts(order, operation, can) });
  return source === 'answer' || source === 'call' ? requestOf(tools, order, operation) : null;
}

function ofRecord({ at, action, actor, reason, detail }: Omit<RecordRow, 'text'>): TimelineEntry {
  const { operation_id, amount_minor } = detail;
  return {
    ...EMPTY,
    at: at.toISOString(),
    kind: 'person',
    title: action,
    who: actor,
    why: reason,
    operation_id: typeof operation_id === 'string' ? operation_id : null,
    amount_minor: typeof amount_minor === 'number' ? amount_minor : null,
  };
}
