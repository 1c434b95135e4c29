// Everything that happened to one order, in the order of time: what was asked, what was sent, what was seen, what it
// became, and who said so. For people who look into one payment (florin order show).
import { toMajor } from '../../../core/money.ts';
import { findResult } from '../../../core/results.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import { findArchives } from '../../months-store.ts';
import type { OrderFacts } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { type ObservationRow, type Turn, findObservations, findResolutionsOf, findTurns } from './turns-store.ts';

export type Moment = {
  /** ISO 8601 UTC, on the deployment's clock. */
  readonly at: string;
  /** Who did it: merchant, florin, a provider's name, or a person's. */
  readonly who: string;
  /** A status of the order, an operation that was asked for, a call or what was seen of it, or a person's word. */
  readonly what: 'status' | 'operation' | 'call' | 'seen' | 'said';
  readonly text: string;
  /** Result code, or the provider's own. */
  readonly code: string | null;
  readonly operation_id: string | null;
  readonly request_id: string | null;
};

export type Timeline = {
  readonly order: OrderFacts;
  readonly moments: readonly Moment[];
  /** Files with calls of this order that are no longer in the database; empty text: one that is being written. */
  readonly archives: readonly string[];
};

/** Undefined: the account has no such order. */
export async function timelineOf(db: TenantRunner, order_id: string): Promise<Timeline | undefined> {
  const order = await findOrder(db, order_id);
  if (!order) return undefined;
  const transactions = order.transactions.map(({ id }) => id);
  const seen = await findObservations(db, transactions, null);
  const archives = await findArchives(db, transactions);
  const resolutions = await findResolutionsOf(
    db,
    order.operations.map(({ id }) => id),
  );
  const turns = await findTurns(db, order.id);
  const moments = [
    ...statuses(order),
    ...turns.map((turn) => turned(order, turn)),
    ...operations(order),
    ...seen.map((one) => observed(order, one)),
    ...resolutions.map(({ at, operation_id, ruling, reason, by_name }) => ({
      ...({ at: at.toISOString(), who: by_name, what: 'said', text: `${ruling}: ${reason}` } as const),
      code: null,
      operation_id,
      request_id: null,
    })),
  ];
  return { order, moments: moments.toSorted(byTime), archives };
}

/** At one moment: what was asked, then what was sent and seen, then what it became. */
const RANK: Readonly<Record<Moment['what'], number>> = { operation: 0, call: 1, seen: 2, said: 3, status: 4 };

function byTime(a: Moment, b: Moment): number {
  return a.at === b.at ? RANK[a.what] - RANK[b.what] : a.at < b.at ? -1 : 1;
}

function statuses({ events }: OrderFacts): Moment[] {
  return events.map(({ type, code, at, request_id }) => ({
    ...({ at, who: 'florin', what: 'status', text: type } as const),
    code,
    operation_id: null,
    request_id,
  }));
}

function turned(order: OrderFacts, { at, type, operation_id, amount, why }: Turn): Moment {
  const { transaction_id } = order.operations.find(({ id }) => id === operation_id) ?? {};
  const money = amount === null ? '' : ` ${amount} ${order.currency}`;
  return {
    ...({ at: at.toISOString(), who: providerOf(order, transaction_id), what: 'status' } as const),
    text: `${type}${money}: ${why}`,
    code: null,
    operation_id,
    request_id: null,
  };
}

const ASKED_BY = { merchant: 'merchant', operator: 'operator', recovery: 'florin', schedule: 'florin', provider: '' };

const WHY = {
  merchant: '',
  operator: '',
  recovery: ', to end what is open',
  schedule: ', its time being over',
  provider: ', made at its own site',
};

function operations(order: OrderFacts): Moment[] {
  return order.operations.map(({ id, kind, origin, created_at, request_id, ...operation }) => {
    const provider = providerOf(order, operation.transaction_id);
    const own = operation.operation_merchant_id === null ? '' : ` as ${operation.operation_merchant_id}`;
    return {
      ...({ at: created_at, who: ASKED_BY[origin] || provider, what: 'operation' } as const),
      text: `${kind}${operation.with_capture ? ' and capture' : ''} ${toMajor(operation.amount_minor, order.currency)} ${order.currency} at ${provider}${own}${WHY[origin]}`,
      code: null,
      operation_id: id,
      request_id,
    };
  });
}

const SOURCES: Readonly<Record<string, string>> = {
  answer: 'answers',
  webhook: 'tells',
  inquiry: 'says when asked',
  vault: 'the vault knows',
  file: 'its file says',
  operator: 'an operator says',
  timer: 'the time says',
};

function observed(order: OrderFacts, seen: ObservationRow): Moment {
  const operation = order.operations.find(({ id }) => id === seen.operation_id);
  const provider = providerOf(order, operation?.transaction_id);
  const of = operation?.kind ?? 'the attempt';
  const what = seen.source === 'call' ? 'call' : 'seen';
  const outcome = seen.outcome + (seen.why === null ? '' : ` (${seen.why})`);
  const amount =
    seen.amount_minor === null
      ? ''
      : ` ${toMajor(seen.amount_minor, seen.currency ?? order.currency)} ${seen.currency ?? ''}`;
  const reference = seen.provider_ref === null ? '' : `, its reference ${seen.provider_ref}`;
  const text =
    what === 'call'
      ? `${of} sent to ${provider}`
      : `${SOURCES[seen.source] ?? seen.source}: ${of} ${outcome}${amount}${reference}`;
  return {
    ...({ at: seen.at.toISOString(), who: what === 'call' ? 'florin' : provider, what, text } as const),
    code: seen.provider_code,
    operation_id: seen.operation_id,
    request_id: null,
  };
}

function providerOf(order: OrderFacts, transaction_id: string | undefined): string {
  const own = order.transactions.find(({ id }) => id === transaction_id) ?? order.transactions.at(-1);
  return own?.provider ?? 'no provider';
}

/** The meaning of a code, in words. */
export function meaningOf(code: string | null): string {
  return code === null ? '' : (findResult(code)?.description ?? '');
}
