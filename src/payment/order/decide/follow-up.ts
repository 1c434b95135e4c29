// What an observation means for a capture, refund, cancel or reversal. If one of these fails, the amounts that are
// authorized, captured and refunded stay as they are.
import { bookCapture, bookRefund, bookRelease } from '../../../core/ledger-accounts.ts';
import type { ResultName } from '../../../core/results.ts';
import { capturableMinor } from '../../order-rules/amounts.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { type AuthorizeInput, undone } from './authorize.ts';
import {
  type Decision,
  type Policy,
  type Settlement,
  NOTHING,
  codeOf,
  isAbout,
  isFinal,
  isOurs,
  settlement,
  unproved,
} from './decision.ts';
import { contradiction, judge, passed } from './ended.ts';
import { needsNobody, takenBack, told } from './overturn.ts';

type Kind = 'capture' | 'refund' | 'cancel';

export function decideFollowUp(order: OrderFacts, operation: OperationFacts, asked: AuthorizeInput): Decision {
  const { seen, policy } = asked;
  const kind = operation.kind as Kind;
  if (isFinal(operation)) return afterTheEnd(order, operation, asked);
  // this cancel waits for its authorization and was never sent, so the observation is about something else
  if (kind === 'cancel' && order.winner_id === null && seen.kind !== 'cancel_wanted')
    return { kind: 'ignore', alert: 'an observation of a cancel that was never sent' };
  switch (seen.kind) {
    case 'approved':
      if (!isOurs(order, operation, seen))
        return { ...unproved(operation, policy), alert: 'an approval differs from what was asked: it is not applied' };
      return done(order, operation);
    case 'declined':
    case 'corrected':
      return refused(order, operation, seen.result);
    case 'reversed':
      return kind === 'cancel' && isAbout(seen.our_reference, operation.id)
        ? done(order, operation)
        : { kind: 'ignore', alert: `a ${kind} is said to be reversed` };
    case 'pending':
      return { kind: 'note', state: operation.state, waits_for: 'provider' };
    // proved never sent: recovery sends the operation
    case 'not_sent':
      return { kind: 'note', state: operation.state, waits_for: 'call' };
    case 'not_found':
      // no earlier call can arrive any more; the next call takes another key, so that the provider does not answer it
      // with the result of an earlier one
      return policy.in_flight_over && operation.waits_for === 'call'
        ? { ...unproved(operation, policy), new_key: true }
        : unproved(operation, policy);
    case 'unknown':
      return unproved(operation, policy);
    case 'cancel_wanted':
      return { kind: 'ignore' };
    case 'payer_must_act':
      return { ...unproved(operation, policy), alert: `a ${kind} asks for the payer` };
  }
}

function afterTheEnd(order: OrderFacts, operation: OperationFacts, { seen }: AuthorizeInput): Decision {
  const passing = passed(judge(order, operation, seen), seen);
  if (passing) return passing;
  // reported as done, failed later: the only way out of `successful` without a person (decision 56)
  const back = seen.kind === 'corrected' ? takenBack(order, operation, seen.result) : undefined;
  return back && needsNobody(order, operation, back) ? back : contradiction('corrected', seen);
}

function done(order: OrderFacts, operation: OperationFacts): Settlement {
  const { amount_minor } = operation;
  switch (operation.kind as Kind) {
    case 'capture':
      return captured(order, operation);
    case 'refund':
      return settlement(order, 'successful', {
        ...told('refund_successful', 'refund_successful'),
        counters: { ...NOTHING, refunding: -amount_minor, refunded: amount_minor },
        postings: [{ source: 'operation', posting: 'book', transfers: bookRefund(amount_minor) }],
      });
    case 'cancel':
      return released(order, operation);
  }
}

/** The last capture releases the rest of the authorization, except the amounts of captures that are still under way. */
function captured(order: OrderFacts, operation: OperationFacts): Settlement {
  const { amount_minor } = operation;
  const rest = capturableMinor(order);
  const releases = operation.final && rest > 0n;
  return settlement(order, 'successful', {
    ...told('capture_successful', 'capture_successful'),
    counters: { ...NOTHING, capturing: -amount_minor, captured: amount_minor, released: releases ? rest : 0n },
    follow: releases ? releaseBehind(operation, rest) : undefined,
    postings: [
      { source: 'operation', posting: 'book', transfers: bookCapture(amount_minor) },
      ...(releases ? [{ source: 'follow', posting: 'book', transfers: bookRelease(rest) } as const] : []),
    ],
  });
}

/** A cancel by the merchant, or a lapse. If something was captured, only the rest is released and the status stays. */
function released(order: OrderFacts, operation: OperationFacts): Settlement {
  const { amount_minor, origin } = operation;
  const lapsed = origin !== 'merchant';
  const moves =
    order.captured_minor > 0n
      ? { code: codeOf(lapsed ? 'capture_after_lapse' : 'cancel_successful') }
      : lapsed
        ? told('authorization_expired', 'capture_after_lapse')
        : told('authorization_cancelled', 'cancel_successful');
  return settlement(order, 'successful', {
    ...moves,
    cancel_pending: false,
    counters: { ...NOTHING, released: amount_minor },
    postings: [{ source: 'operation', posting: 'book', transfers: bookRelease(amount_minor) }],
  });
}

function refused(order: OrderFacts, operation: OperationFacts, name: ResultName): Settlement {
  const { amount_minor } = operation;
  switch (operation.kind as Kind) {
    case 'capture':
      return uncaptured(order, operation, name);
    case 'refund':
      return settlement(order, 'declined', {
        ...told('refund_declined', name),
        counters: { ...NOTHING, refunding: -amount_minor },
      });
    case 'cancel': {
      // if the provider refuses an expiry, no event is sent: the hold stands, and the alert asks a person to look
      const moves =
        operation.origin === 'merchant' ? told('authorization_cancel_declined', name) : { code: codeOf(name) };
      const alert =
        operation.origin === 'merchant' ? undefined : 'the provider refuses to release a lapsed authorization';
      return settlement(order, 'declined', { ...moves, cancel_pending: false, alert });
    }
  }
}

/**
 * The amount of a failed capture stays on hold. After a successful last capture it is released instead: that capture
 * released everything except the amounts that were under way.
 */
function uncaptured(order: OrderFacts, { amount_minor }: OperationFacts, name: ResultName): Settlement {
  const last = order.operations.find((o) => o.kind === 'capture' && o.final && o.state === 'successful');
  return settlement(order, 'declined', {
    ...told('capture_declined', name),
    counters: { ...NOTHING, capturing: -amount_minor, released: last ? amount_minor : 0n },
    follow: last && releaseBehind(last, amount_minor),
    postings: last ? [{ source: 'follow', posting: 'book', transfers: bookRelease(amount_minor) }] : [],
  });
}

/** The release of the rest after a last capture, as an operation of its own. */
const releaseBehind = ({ id }: OperationFacts, amount_minor: bigint) =>
  ({
    kind: 'cancel',
    state: 'successful',
    waits_for: 'call',
    amount_minor,
    origin: 'merchant',
    target_id: id,
    code: codeOf('cancel_successful'),
  }) as const;

const REVERSAL_REFUSED = 'a reversal is refused by the provider';

/** An acknowledged reversal ends the authorization that it undoes. Until then the reversal is sent again. */
export function decideReversal(
  order: OrderFacts,
  operation: OperationFacts,
  { seen, policy }: AuthorizeInput,
): Decision {
  if (isFinal(operation)) return passed(judge(order, operation, seen), seen) ?? { kind: 'ignore' };
  switch (seen.kind) {
    case 'reversed':
      if (!isAbout(seen.our_reference, operation.target_id ?? ''))
        return { ...unproved(operation, policy), alert: 'the reversal of something else is acknowledged' };
      return settled(order, operation, policy);
    case 'approved':
      // the answer speaks of the authorization that the reversal undoes
      if (!isOurs(order, { ...operation, id: operation.target_id ?? '' }, seen))
        return {
          ...unproved(operation, policy),
          alert: 'an acknowledgement differs from what was asked: it is not applied',
        };
      return settled(order, operation, policy);
    case 'not_found': {
      const decision = settled(order, operation, policy);
      // under the same key the provider would only repeat this answer
      return decision.kind === 'note' ? { ...decision, waits_for: 'call', new_key: true } : decision;
    }
    // one that was accepted, and failed, is sent again, too: what it undoes stands
    case 'declined':
      return { ...unproved(operation, policy), waits_for: 'call', new_key: true, alert: REVERSAL_REFUSED };
    case 'payer_must_act':
      return { ...unproved(operation, policy), alert: REVERSAL_REFUSED };
    case 'pending':
      return { kind: 'note', state: operation.state, waits_for: 'provider' };
    case 'not_sent':
      return { kind: 'note', state: operation.state, waits_for: 'call' };
    case 'unknown':
      // a provider that keeps answers under their keys would repeat this failure for ever; another key does no harm,
      // because undoing twice has the effect of undoing once
      if (policy.message_overdue === true) return { ...unproved(operation, policy), waits_for: 'call', new_key: true };
      return seen.why === 'provider_error' && operation.waits_for === 'call'
        ? { ...unproved(operation, policy), new_key: true }
        : unproved(operation, policy);
    case 'corrected':
    case 'cancel_wanted':
      return { kind: 'ignore' };
  }
}

/**
 * The reversal ends once nothing can arrive any more: before that it may have overtaken the authorization that it
 * undoes.
 */
function settled(order: OrderFacts, operation: OperationFacts, policy: Policy): Decision {
  return policy.in_flight_over ? acknowledged(order, operation) : unproved(operation, policy);
}

function acknowledged(order: OrderFacts, operation: OperationFacts): Settlement {
  const authorize = order.operations.find(({ id }) => id === operation.target_id);
  const told_code = { code: codeOf('cancel_successful') };
  if (authorize?.state !== 'reversing') return settlement(order, 'successful', told_code);
  const policy = { in_flight_over: true, review_due: false };
  const end = undone({ order, operation: authorize, policy });
  const { state, code, reason } = end;
  return {
    ...end,
    ...told_code,
    state: 'successful',
    reason: null,
    others: [...end.others, { id: authorize.id, state, code, reason }],
  };
}
