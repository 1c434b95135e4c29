// Which operation a message means: ours by its id, else by the provider's own reference, else by that of the
// authorization with kind and amount, where the provider's name of ours cannot be known. A message that fits more than
// one is applied to none: a person must look.
import { isId } from '../../core/ids.ts';
import type { TenantRunner } from '../../kit/database.ts';
import type { Match, News } from '../../provider/notices.ts';
import { isFinal } from '../order/decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../order/facts/order-facts.ts';
import { findOrder } from '../order/facts/order-store.ts';
import { findOrdersByReference } from './store.ts';

export type Matched = { readonly order: OrderFacts; readonly operation: OperationFacts };
/** Why not; with the order, where that much is known. */
export type Unmatched = {
  readonly reason: string;
  readonly order_id: string | null;
  /** It is about none of ours, and not about one of several. */
  readonly is_none: boolean;
};
/** It may be about an operation that is still to come, or whose name at the provider is: only that tells. */
export type TooEarly = 'too early';

export type Matching = { readonly provider: string; readonly match: Match; readonly news: News['kind'] };

export async function findMatch(db: TenantRunner, asked: Matching): Promise<Matched | Unmatched | TooEarly> {
  const { ours, reference, authorization_reference } = asked.match;
  const named = ours && (await byOurs(db, asked, ours));
  if (named === 'too early' || (named && 'operation' in named)) return named;
  const referred = reference === null ? [] : await candidates(db, asked, reference);
  const own = referred.filter(({ operation }) => operation.provider_ref === reference);
  if (own.length > 0) return only(own, asked);
  if (authorization_reference === null) return named ?? unknown(null);
  const none = named ?? unknown(await onlyOrder(db, asked, authorization_reference));
  const all = await candidates(db, asked, authorization_reference);
  const under = all.filter(
    (one) => isUnder(one, authorization_reference) && isOfAmount(one, asked.match) && !isAnother(one, asked.match),
  );
  if (under.some((one) => isStillNameless(one, asked.match))) return 'too early';
  return under.length > 0 ? only(under, asked) : none;
}

const unknown = (order_id: string | null): Unmatched => ({ reason: 'no such operation', order_id, is_none: true });

/** The order that knows this reference. Null: there is none, or more than one. */
async function onlyOrder(db: TenantRunner, { provider }: Matching, reference: string): Promise<string | null> {
  const [order_id = null, ...others] = await findOrdersByReference(db, { provider, reference });
  return others.length === 0 ? order_id : null;
}

async function byOurs(
  db: TenantRunner,
  asked: Matching,
  { order_id, operation_id }: NonNullable<Match['ours']>,
): Promise<Matched | Unmatched | TooEarly> {
  const order = isId(order_id) ? await findOrder(db, order_id) : undefined;
  if (!order) return unknown(null);
  const operation = ownOperations(order, asked.provider).find(({ id }) => id === operation_id);
  const meant = operation && asKind(order, operation, asked.match.kind);
  if (!meant) return operation && isToCome(operation, asked.match) ? 'too early' : unknown(order.id);
  const found = { order, operation: meant };
  if (meant.id === operation_id || isKnownByIt(meant, operation)) return found;
  // the payment alone is named: there may be captures of it that are none of ours
  if (isStillNameless(found, asked.match)) return 'too early';
  return isAnother(found, asked.match) ? unknown(order.id) : found;
}

/** A sale's capture is there with the commit of the sale's answer, which its message may overtake. */
const isToCome = (operation: OperationFacts, { kind }: Match): boolean =>
  kind === 'capture' && operation.kind === 'authorize' && operation.with_capture && !isFinal(operation);

/** A sale's capture has no name of its own. */
const isKnownByIt = ({ target_id }: OperationFacts, { id, with_capture }: OperationFacts): boolean =>
  target_id === id && with_capture;

/** Of the provider that tells: what another one was asked is not its to say. */
function ownOperations({ operations, transactions }: OrderFacts, provider: string): readonly OperationFacts[] {
  const own = new Set(transactions.filter((one) => one.provider === provider).map(({ id }) => id));
  return operations.filter(({ transaction_id }) => own.has(transaction_id));
}

/**
 * A sale's capture is known by the sale, and a reversal by the authorization that it undoes. Where only the
 * authorization is named, the one capture of it is meant. Undefined: it is of another kind.
 */
function asKind(order: OrderFacts, operation: OperationFacts, kind: Match['kind']): OperationFacts | undefined {
  if (operation.kind === kind) return operation;
  if (operation.kind !== 'authorize') return undefined;
  const under = order.operations.filter((o) => o.kind === kind && o.transaction_id === operation.id);
  const of_it = under.filter(({ target_id }) => target_id === operation.id);
  if (kind === 'reversal') return of_it.findLast((o) => !isFinal(o)) ?? of_it.at(-1);
  if (kind !== 'capture') return undefined;
  return of_it[0] ?? (under.length === 1 ? under[0] : undefined);
}

/** Every operation of the kind in orders that know this reference. */
async function candidates(db: TenantRunner, { provider, match }: Matching, reference: string): Promise<Matched[]> {
  const found: Matched[] = [];
  for (const order_id of await findOrdersByReference(db, { provider, reference })) {
    const order = await findOrder(db, order_id);
    const own = order ? ownOperations(order, provider) : [];
    const same = own.filter(({ kind }) => kind === match.kind);
    if (order) found.push(...same.map((operation) => ({ order, operation })));
    // a sale is captured under the reference of its authorization
    const sale = own.find((one) => one.provider_ref === reference && one.with_capture);
    const capture = order && sale && match.kind === 'capture' && asKind(order, sale, 'capture');
    if (order && capture && match.reference === reference)
      found.push({ order, operation: { ...capture, provider_ref: reference } });
  }
  return found;
}

function isUnder({ order, operation }: Matched, reference: string): boolean {
  const authorization = order.operations.find(({ id }) => id === operation.transaction_id);
  return authorization?.provider_ref === reference;
}

function isOfAmount({ order, operation }: Matched, { amount_minor, currency }: Match): boolean {
  return (
    (amount_minor === null || operation.amount_minor === amount_minor) &&
    (currency ?? order.currency) === order.currency
  );
}

/** Of an authorization there may be several: one that the provider knows by a name is not meant by another name. */
function isAnother({ operation }: Matched, { kind, reference }: Match): boolean {
  const has_own_name = kind === 'capture' || kind === 'refund' || kind === 'cancel';
  return has_own_name && reference !== null && operation.provider_ref !== null && operation.provider_ref !== reference;
}

/**
 * The answer to its call brings its name, or that of a repeat. Until then what is said of the same amount may be about
 * something that a person made at the provider's own site.
 */
function isStillNameless({ operation }: Matched, { kind, reference }: Match): boolean {
  const { state, waits_for, provider_ref } = operation;
  const is_one_of_many = kind === 'capture' || kind === 'refund';
  const is_open = state === 'requested' || state === 'in_doubt';
  return is_one_of_many && reference !== null && provider_ref === null && is_open && waits_for === 'call';
}

/**
 * News of a later change is about an operation that was done; all other news is about an open one. Where none is open,
 * all but a refusal is about what was done.
 */
function only(found: readonly Matched[], { news }: Matching): Matched | Unmatched {
  const [first] = found;
  if (first && found.length === 1) return first;
  const open = found.filter(({ operation }) => !isFinal(operation));
  const is_done = news === 'corrected' || news === 'dispute' || (news !== 'declined' && open.length === 0);
  const narrowed = is_done ? found.filter(({ operation }) => operation.state === 'successful') : open;
  const [one] = narrowed;
  if (one && narrowed.length === 1) return one;
  const orders = new Set(found.map(({ order }) => order.id));
  const order_id = orders.size === 1 ? (first?.order.id ?? null) : null;
  return { reason: 'more than one operation fits', order_id, is_none: false };
}
