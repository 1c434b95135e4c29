// What was done with an authorization at its provider's own site, and not through us: what of the provider's books is
// not in ours, and how it is booked. Pure. Each of it becomes an operation of origin `provider`, as if it had been
// asked for here and done, so that all that follows knows it: refunds, disputes, the ledger, the reconciliation.
import { bookCapture, bookRefund, bookRelease } from '../../../core/ledger-accounts.ts';
import type { ResultName } from '../../../core/results.ts';
import type { OrderStatus } from '../../../core/states.ts';
import type { Shown, ShownPart } from '../../../provider/books.ts';
import { capturableMinor, refundableMinor } from '../../order-rules/amounts.ts';
import { chargedBack } from '../../order-rules/blocked.ts';
import { refundableOf } from '../../order-rules/standing.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { type Follow, type Settlement, NOTHING, codeOf, isFinal, settlement } from './decision.ts';

/** One thing that was done there. */
export type Made =
  | { readonly kind: 'capture'; readonly amount_minor: bigint; readonly reference: string }
  | {
      readonly kind: 'refund';
      readonly amount_minor: bigint;
      readonly reference: string;
      /** The provider's own id of the capture; null: it does not say. */
      readonly of: string | null;
    }
  /** What was held and is not captured is released; `lapsed`: by itself. `reference`: its own, where it has one. */
  | { readonly kind: 'release'; readonly lapsed: boolean; readonly reference: string | null };

/** The authorization that holds the order's money, or held it. Undefined: it does not stand for certain. */
export function standingOf(order: OrderFacts): OperationFacts | undefined {
  const authorize = order.operations.find(({ id }) => id === order.winner_id);
  return authorize?.state === 'successful' ? authorize : undefined;
}

/** Nothing is under way or in doubt: what is not known here was not done by us. */
export const isQuiet = ({ operations, contradictions }: OrderFacts): boolean =>
  operations.every(isFinal) && contradictions.length === 0;

/** A capture that is not ours may still be done, or fail there: until then nobody knows what becomes of the hold. */
export function isCaptureOpenElsewhere(order: OrderFacts, { parts }: Shown): boolean {
  const authorize = standingOf(order);
  return parts.some(
    (part) => part.kind === 'capture' && part.state === 'open' && authorize && !isKnown(order, authorize, part),
  );
}

/** What the provider's books show and ours do not, in the order in which it can be booked. */
export function madeElsewhere(order: OrderFacts, shown: Shown): readonly Made[] {
  const { hold, parts } = shown;
  const authorize = standingOf(order);
  if (!authorize) return [];
  const others = parts.filter((part) => part.state === 'done' && !isKnown(order, authorize, part));
  if (others.some((part) => mayBeOurs(order, authorize, part))) return [];
  const captures = others.filter(({ kind }) => kind === 'capture');
  const taken = captures.reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
  const is_left = capturableMinor(order) > taken && !isCaptureOpenElsewhere(order, shown);
  return [
    ...captures.map(({ amount_minor, reference }) => ({ kind: 'capture', amount_minor, reference }) as const),
    ...(hold !== 'held' && is_left ? [{ kind: 'release', lapsed: hold === 'lapsed', reference: null } as const] : []),
    ...others
      .filter(({ kind }) => kind === 'refund')
      .map(({ amount_minor, reference, of }) => ({ kind: 'refund', amount_minor, reference, of }) as const),
  ];
}

/**
 * It is one of ours: by our own id, or by the provider's. What it was said of and failed here is left to the news of
 * that operation. A sale is captured under the reference of its authorization.
 */
function isKnown({ operations }: OrderFacts, authorize: OperationFacts, { kind, reference, ours }: ShownPart): boolean {
  const own = operations.filter((one) => one.transaction_id === authorize.id);
  if (own.some((one) => one.id === ours && (one.kind === kind || one.kind === 'reversal'))) return true;
  const is_sale = kind === 'capture' && authorize.with_capture;
  const done = own.filter((one) => one.kind === kind && one.state !== 'declined' && one.state !== 'not_sent');
  return done.some((one) => one.provider_ref === reference || (is_sale && one.target_id === authorize.id));
}

/**
 * A provider that takes one capture has no name for it. One of ours may be meant that a person ruled out, or that was
 * given up: the provider's news of that one tells.
 */
function mayBeOurs({ operations }: OrderFacts, authorize: OperationFacts, part: ShownPart): boolean {
  if (part.kind !== 'capture' || part.reference !== authorize.provider_ref) return false;
  const own = operations.filter((one) => one.kind === 'capture' && one.transaction_id === authorize.id);
  return own.some((one) => (one.provider_code ?? '') === '' && one.amount_minor === part.amount_minor);
}

/** Undefined: it does not fit what stands here, and a person must look. */
export function adopting(order: OrderFacts, made: Made): Settlement | undefined {
  switch (made.kind) {
    case 'capture':
      return capturedThere(order, made);
    case 'refund':
      return refundedThere(order, made);
    case 'release':
      return releasedThere(order, made);
  }
}

/** The settlement of the authorization, which stays as it is, with the operation that comes with it. */
function coming(
  order: OrderFacts,
  follow: Pick<Follow, 'kind' | 'amount_minor' | 'code'> & Partial<Follow>,
  change: Partial<Settlement>,
): Settlement {
  const done = { state: 'successful', waits_for: 'call', origin: 'provider', target_id: null } as const;
  return settlement(order, 'successful', { ...change, follow: { ...done, ...follow } });
}

/** Two moves of the status at once: nobody here asked for it, and it is done. */
function told(asked: Move, done: Move) {
  const events = [
    { type: asked.to, code: codeOf(asked.name) },
    { type: done.to, code: codeOf(done.name) },
  ] as const;
  return { status: done.to, events };
}

type Move = { readonly to: OrderStatus; readonly name: ResultName };

function capturedThere(
  order: OrderFacts,
  { amount_minor, reference }: Extract<Made, { kind: 'capture' }>,
): Settlement | undefined {
  if (amount_minor > capturableMinor(order)) return undefined;
  return coming(
    order,
    { kind: 'capture', amount_minor, code: codeOf('capture_successful'), provider_ref: reference },
    {
      ...told(
        { to: 'capture_requested', name: 'capture_pending' },
        { to: 'capture_successful', name: 'capture_successful' },
      ),
      counters: { ...NOTHING, captured: amount_minor },
      postings: [{ source: 'follow', posting: 'book', transfers: bookCapture(amount_minor) }],
    },
  );
}

function refundedThere(
  order: OrderFacts,
  { amount_minor, reference, of }: Extract<Made, { kind: 'refund' }>,
): Settlement | undefined {
  const capture = capturesOf(order, of).find(
    (one) => amount_minor <= refundableOf(order, one) - chargedBack(order, one.id),
  );
  if (!capture || amount_minor > refundableMinor(order)) return undefined;
  return coming(
    order,
    {
      kind: 'refund',
      amount_minor,
      code: codeOf('refund_successful'),
      target_id: capture.id,
      provider_ref: reference,
    },
    {
      ...told(
        { to: 'refund_requested', name: 'refund_pending' },
        { to: 'refund_successful', name: 'refund_successful' },
      ),
      counters: { ...NOTHING, refunded: amount_minor },
      postings: [{ source: 'follow', posting: 'book', transfers: bookRefund(amount_minor) }],
    },
  );
}

/** The captures that a refund may be of: the one that the provider names, or any that is done. */
export function capturesOf({ operations, winner_id }: OrderFacts, of: string | null): readonly OperationFacts[] {
  const done = operations.filter(
    (one) => one.kind === 'capture' && one.state === 'successful' && one.transaction_id === winner_id,
  );
  const named = done.filter(({ provider_ref }) => provider_ref === of);
  const nameless = done.filter(({ provider_ref }) => provider_ref === null);
  return of === null ? done : named.length > 0 ? named : nameless;
}

function releasedThere(
  order: OrderFacts,
  { lapsed, reference }: Extract<Made, { kind: 'release' }>,
): Settlement | undefined {
  const amount_minor = capturableMinor(order);
  if (amount_minor === 0n) return undefined;
  const name = lapsed ? 'capture_after_lapse' : 'cancel_successful';
  const code = codeOf(name);
  const moves = lapsed
    ? ({ status: 'authorization_expired', events: [{ type: 'authorization_expired', code }] } as const)
    : told({ to: 'authorization_cancel_requested', name: 'cancel_pending' }, { to: 'authorization_cancelled', name });
  return coming(
    order,
    { kind: 'cancel', amount_minor, code, origin: lapsed ? 'schedule' : 'provider', provider_ref: reference },
    {
      // behind a capture only the rest is released, and the status stays
      ...(order.captured_minor === 0n && moves),
      counters: { ...NOTHING, released: amount_minor },
      postings: [{ source: 'follow', posting: 'book', transfers: bookRelease(amount_minor) }],
    },
  );
}
