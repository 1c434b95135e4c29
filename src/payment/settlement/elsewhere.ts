// Messages about what a merchant did at the provider's own site: of no operation of ours, or of the end of a hold that
// nobody here asked for. Where the provider's books can be asked for they say whether it is so; else its message is
// believed, as any other of that provider.
import type { Capabilities } from '../../provider/capabilities.ts';
import type { Provider } from '../../provider/contract.ts';
import type { Match, News } from '../../provider/notices.ts';
import { capturableMinor, refundableMinor } from '../order-rules/amounts.ts';
import { type Made, standingOf } from '../order/decide/elsewhere.ts';
import { type Looked, adoptTold, lookElsewhere } from '../order/engine/elsewhere.ts';
import type { OrderFacts } from '../order/facts/order-facts.ts';
import type { Tools } from '../tools.ts';
import type { Matched } from './match.ts';
import type { EventEnd } from './store.ts';

export type Told = {
  readonly provider: Provider;
  readonly match: Match;
  readonly news: News;
  /** It has waited for a day: it waits no longer, and a person looks. */
  readonly is_old: boolean;
};

/** A message of an operation that is not ours, of an order that is. Undefined: it tells nothing of that kind. */
export function ofNoOperation(tools: Tools, order: OrderFacts, told: Told): Promise<EventEnd | undefined> | undefined {
  const { provider, match, news } = told;
  if (match.kind !== 'capture' && match.kind !== 'refund' && match.kind !== 'cancel') return undefined;
  const authorize = standingOf(order);
  if (!authorize) return undefined;
  if (provider.books && news.kind === 'dispute') return ofCaptureThere(tools, order, told);
  if (provider.books) return ASKED.has(news.kind) ? looked(tools, order, told) : undefined;
  const is_of_it = match.authorization_reference !== null && match.authorization_reference === authorize.provider_ref;
  if (!is_of_it) return undefined;
  if (news.kind === 'declined') return Promise.resolve({ ...REFUSED_THERE, order_id: order.id });
  if (!told.is_old && comesBefore(order, told)) return Promise.resolve(undefined);
  const made = news.kind === 'approved' ? madeBy(match) : undefined;
  return made && ended(adoptTold(tools, order, made), order, told);
}

/** What failed later may have been known here only by its books. */
const ASKED: ReadonlySet<News['kind']> = new Set(['look', 'corrected']);

/**
 * A dispute of a capture that is not known here: it may have been made there, and its own message may be lost. Once it
 * is booked, the next look finds it.
 */
async function ofCaptureThere(tools: Tools, order: OrderFacts, { is_old }: Told): Promise<EventEnd | undefined> {
  const found = await lookElsewhere(tools, order);
  if (found === 'adopted' || (found !== 'nothing' && !is_old)) return undefined;
  return { state: 'parked', reason: 'a dispute of a capture that is not known', order_id: order.id };
}

/**
 * Messages come in any order: what failed, or is disputed, is perhaps not told yet itself. Booked without its failure
 * it would stand here as done.
 */
function comesBefore({ captured_minor }: OrderFacts, { match, news }: Told): boolean {
  if (news.kind === 'corrected') return match.reference !== null;
  return news.kind === 'dispute' && captured_minor === 0n;
}

function madeBy({ kind, reference, amount_minor }: Match): Made | undefined {
  if (kind === 'cancel') return { kind: 'release', lapsed: false, reference };
  if (reference === null || amount_minor === null || amount_minor <= 0n) return undefined;
  if (kind === 'capture') return { kind, amount_minor, reference };
  return kind === 'refund' ? { kind, amount_minor, reference, of: null } : undefined;
}

/**
 * Something happened to what an authorization holds, and no operation of ours explains it: then the provider is asked.
 * Undefined: it needs no asking.
 */
export function ofTheHold(
  tools: Tools,
  { order, operation }: Matched,
  told: Told,
): Promise<EventEnd | undefined> | undefined {
  const { news, provider } = told;
  if (news.kind !== 'look' || standingOf(order)?.id !== operation.id) return undefined;
  switch (news.says) {
    case 'undone':
    case 'lapsed':
      return capturableMinor(order) > 0n ? looked(tools, order, told) : undefined;
    case 'captured':
      return isExplained(order, operation.id, provider.can) ? undefined : looked(tools, order, told);
    case 'done':
    case 'not_done':
    case undefined:
      return undefined;
  }
}

/** A sale, or the one capture that this provider takes. */
function isExplained({ operations }: OrderFacts, id: string, { captures }: Pick<Capabilities, 'captures'>): boolean {
  const own = operations.filter(({ kind, transaction_id }) => kind === 'capture' && transaction_id === id);
  const done = own.filter(({ state }) => state !== 'declined' && state !== 'not_sent');
  return done.some(({ target_id }) => target_id === id || captures === 'one');
}

const REFUSED_THERE: EventEnd = {
  state: 'ignored',
  reason: 'asked for at the provider’s own site, and refused there',
  order_id: null,
};
const NOT_THERE: EventEnd = { state: 'ignored', reason: 'its books show nothing that is not known', order_id: null };

function looked(tools: Tools, order: OrderFacts, told: Told): Promise<EventEnd | undefined> {
  // what was released here was perhaps only the rest: a capture made there before has a message that comes behind
  const is_capture = told.news.kind === 'look' && told.news.says === 'captured';
  const is_used_up = capturableMinor(order) === 0n && refundableMinor(order) === 0n && order.capturing_minor === 0n;
  // nothing more can have happened to it
  if (is_used_up && !(is_capture && order.released_minor > 0n))
    return Promise.resolve({ ...NOT_THERE, order_id: order.id });
  return ended(lookElsewhere(tools, order), order, told);
}

/** Undefined: it is looked at again. */
async function ended(
  looking: Promise<Looked>,
  { id: order_id }: OrderFacts,
  told: Told,
): Promise<EventEnd | undefined> {
  const found = await looking;
  if (found === 'adopted') return { state: 'applied', reason: null, order_id };
  if (found === 'nothing') return { ...NOT_THERE, order_id };
  if (!told.is_old) return undefined;
  const reason =
    found === 'silent'
      ? 'made at the provider’s own site, and its provider does not say whether it is so'
      : 'made at the provider’s own site, while something else of the order was open';
  return { state: 'parked', reason, order_id };
}
