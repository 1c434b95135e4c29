// What an observation means for an authorization. An authorization is never sent twice: if its result cannot be proved,
// the authorization is undone.
import { bookAuthorization, bookSale } from '../../../core/ledger-accounts.ts';
import { type ResultName, phaseOf } from '../../../core/results.ts';
import { lacksAuthentication } from '../authentication/demand.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import {
  type Decision,
  type Follow,
  type OperationMove,
  type OrderEvent,
  type PayerMustAct,
  type Policy,
  type Seen,
  type Settlement,
  NOTHING,
  codeOf,
  isFinal,
  isAbout,
  isOurs,
  settlement,
  unproved,
} from './decision.ts';
import { judge, passed } from './ended.ts';

/** The payer has begun again with another order (contract 7.3). */
const LEFT = codeOf('payer_left_authentication');
/** The provider was to authenticate the payer in any case, and says that it did not (contract 10.1). */
const NOT_AUTHENTICATED = codeOf('card_not_enrolled');

type Authorization = { readonly order: OrderFacts; readonly operation: OperationFacts; readonly policy: Policy };

export function decideAuthorize(
  order: OrderFacts,
  operation: OperationFacts,
  { seen, policy }: AuthorizeInput,
): Decision {
  const authorization = { order, operation, policy };
  if (isFinal(operation)) return afterTheEnd(authorization, seen);
  return operation.state === 'reversing' ? whileReversing(authorization, seen) : whileOpen(authorization, seen);
}

export type AuthorizeInput = { readonly seen: Seen; readonly policy: Policy };

function whileOpen(authorization: Authorization, seen: Seen): Decision {
  const { order, operation, policy } = authorization;
  // as long as the payer is at the provider, nothing is in doubt
  if (operation.waits_for === 'payer' && ['unknown', 'pending', 'not_found'].includes(seen.kind))
    return { kind: 'note', state: operation.state, waits_for: 'payer' };
  switch (seen.kind) {
    case 'approved': {
      const ours = isOurs(order, operation, seen) && (operation.with_capture || !seen.captured);
      if (!ours) return reversing(authorization, { alert: 'an approval differs from what was asked: it is undone' });
      if (order.cancel_pending) return reversing(authorization);
      if (lacksAuthentication(order, operation, seen)) return reversing(authorization, { code: NOT_AUTHENTICATED });
      return approved(authorization, seen);
    }
    case 'declined':
    case 'not_sent':
      return ended(authorization, seen.kind, seen.result);
    case 'reversed':
      return isAbout(seen.our_reference, operation.id) ? undone(authorization) : unproved(operation, policy);
    case 'cancel_wanted':
      return reversing(authorization, { code: seen.left ? LEFT : null });
    case 'payer_must_act':
      return order.cancel_pending ? reversing(authorization) : toPayer(authorization, seen);
    case 'pending':
      return { kind: 'note', state: operation.state, waits_for: 'provider' };
    // "not found" is no proof before the in-flight time is over: the provider may commit after saying so
    case 'not_found':
      return policy.in_flight_over ? reversing(authorization) : unproved(operation, policy);
    case 'unknown':
      return unproved(operation, policy);
    case 'corrected':
      return { kind: 'ignore', alert: 'a correction of an authorization that is still open' };
  }
}

/** The authorization is being undone: only the acknowledged reversal, or the provider's own decline, ends it. */
function whileReversing(authorization: Authorization, seen: Seen): Decision {
  const { order, operation } = authorization;
  switch (seen.kind) {
    case 'declined':
      return ended(authorization, 'declined', seen.result);
    case 'not_sent':
      return undone(authorization, reversalsOf(order, operation).map(moved('declined', null, 'nothing to undo')));
    case 'reversed':
      if (!isAbout(seen.our_reference, operation.id)) return { kind: 'ignore', alert: 'a reversal of something else' };
      return undone(authorization, reversalsOf(order, operation).map(moved('successful', null, null)));
    case 'approved':
      return isOurs(order, operation, seen)
        ? { kind: 'ignore' }
        : { kind: 'ignore', alert: 'an approval differs from what was asked; it is being undone' };
    case 'pending':
    case 'not_found':
    case 'unknown':
    case 'corrected':
    case 'cancel_wanted':
    case 'payer_must_act':
      return { kind: 'ignore' };
  }
}

/** A late approval is never booked: the authorization is undone, with an alert. */
function afterTheEnd({ order, operation }: Authorization, seen: Seen): Decision {
  const passing = passed(judge(order, operation, seen), seen);
  if (passing) return passing;
  const open = order.operations.some((o) => o.kind === 'reversal' && o.target_id === operation.id && !isFinal(o));
  const alert = 'an authorization was approved after its end: it is undone';
  if (open) return { kind: 'ignore', alert };
  return settlement(order, operation.state, { follow: reversalOf(operation), alert });
}

/** The provider sends the payer to a page of its own. If the payer is there already, we go on waiting. */
function toPayer({ order, operation }: Authorization, seen: PayerMustAct): Decision {
  if (operation.waits_for === 'payer') return { kind: 'note', state: operation.state, waits_for: 'payer' };
  const asked = { type: 'authentication_requested', code: codeOf('authorization_pending') } as const;
  const told = order.status === asked.type;
  return settlement(order, operation.state, { status: asked.type, events: told ? [] : [asked], payer: seen });
}

/** The events between the payer's visit to the provider and the approval. */
function wayBack({ order }: Authorization): readonly OrderEvent[] {
  const code = codeOf('authorization_pending');
  if (order.status !== 'authentication_requested') return [];
  return [
    { type: 'authentication_successful', code },
    { type: 'authorization_requested', code },
  ];
}

function approved(authorization: Authorization, seen: Extract<Seen, { kind: 'approved' }>): Settlement {
  const done = holds(authorization, seen);
  return { ...done, events: [...wayBack(authorization), ...done.events] };
}

function holds({ order, operation, policy }: Authorization, seen: Extract<Seen, { kind: 'approved' }>): Settlement {
  const { amount_minor } = operation;
  const authorized = { type: 'authorization_successful', code: codeOf('authorization_successful') } as const;
  const base = { code: authorized.code, wins: true } as const;
  const hold = { source: 'operation', posting: 'book', transfers: bookAuthorization(amount_minor) } as const;
  if (!operation.with_capture) {
    return settlement(order, 'successful', {
      ...base,
      status: authorized.type,
      counters: { ...NOTHING, authorized: amount_minor },
      events: [authorized],
      postings: [hold],
    });
  }
  const capture = { kind: 'capture', amount_minor, origin: 'merchant', target_id: operation.id } as const;
  if (seen.capture?.kind === 'declined') {
    // the authorization stands; the merchant may ask for the capture again
    const refused = { type: 'capture_declined', code: codeOf(seen.capture.result) } as const;
    return settlement(order, 'successful', {
      ...base,
      status: refused.type,
      counters: { ...NOTHING, authorized: amount_minor },
      events: [authorized, refused],
      follow: { ...capture, state: 'declined', waits_for: 'call', code: refused.code },
      postings: [hold],
    });
  }
  if (!seen.captured) {
    const requested = { type: 'capture_requested', code: codeOf('capture_pending') } as const;
    return settlement(order, 'successful', {
      ...base,
      status: requested.type,
      counters: { ...NOTHING, authorized: amount_minor, capturing: amount_minor },
      events: [authorized, requested],
      follow: {
        ...capture,
        state: 'requested',
        waits_for: policy.captures_itself === true ? 'call' : 'provider',
        code: requested.code,
      },
      postings: [hold],
    });
  }
  const done = { type: 'capture_successful', code: codeOf('capture_successful') } as const;
  return settlement(order, 'successful', {
    ...base,
    status: done.type,
    counters: { ...NOTHING, authorized: amount_minor, captured: amount_minor },
    events: [authorized, done],
    follow: { ...capture, state: 'successful', waits_for: 'call', code: done.code },
    postings: [{ source: 'follow', posting: 'book', transfers: bookSale(amount_minor) }],
  });
}

/**
 * The provider declined, or the authorization was proved never sent. A cancel that waited for it ends too: after a
 * decline there is nothing to cancel; if nothing was sent, the cancel is successful.
 */
function ended(authorization: Authorization, state: 'declined' | 'not_sent', name: ResultName): Settlement {
  const { order, operation } = authorization;
  if (state === 'not_sent' && order.cancel_pending) return cancelled(authorization, 'not_sent');
  const code = codeOf(name);
  const event = endOf(name);
  return settlement(order, state, {
    code,
    status: event.type,
    attempt_dead: true,
    cancel_pending: false,
    others: [
      ...reversalsOf(order, operation).map(moved('declined', null, 'nothing to undo')),
      ...cancelsOf(order).map(moved('declined', codeOf('cancel_unavailable'), 'the authorization was declined')),
    ],
    events: [...wayTo(authorization, event), event],
  });
}

/** The event of the end: of the authentication, if that is what failed at the provider. */
function endOf(name: ResultName): OrderEvent {
  const at_payer = phaseOf(name) === 'authentication';
  return { type: at_payer ? 'authentication_declined' : 'authorization_declined', code: codeOf(name) };
}

/**
 * The event before a decline, if it is of the other one of the two. Behind the payer's visit: the provider did not say
 * whether that was successful. Without a visit: it authenticates by itself.
 */
function wayTo({ order: { status } }: Authorization, { type }: OrderEvent): readonly OrderEvent[] {
  const before = type === 'authorization_declined' ? 'authorization_requested' : 'authentication_requested';
  const is_open = status === 'authorization_requested' || status === 'authentication_requested';
  return is_open && status !== before ? [{ type: before, code: codeOf('authorization_pending') }] : [];
}

/** The provider acknowledged the reversal: nothing is authorized there. */
export function undone(authorization: Authorization, more: readonly OperationMove[] = []): Settlement {
  const { order, operation } = authorization;
  if (order.cancel_pending) return cancelled(authorization, 'declined', more);
  const event = endOf(whyUndone(operation));
  return settlement(order, 'declined', {
    code: event.code,
    reason: 'reversed',
    status: event.type,
    attempt_dead: true,
    others: more,
    events: [...wayTo(authorization, event), event],
  });
}

function whyUndone({ waits_for, code }: OperationFacts): ResultName {
  if (code === NOT_AUTHENTICATED) return 'card_not_enrolled';
  if (waits_for !== 'payer') return 'provider_unreachable';
  return code === LEFT ? 'payer_left_authentication' : 'authentication_timed_out';
}

function cancelled(
  { order }: Authorization,
  state: 'declined' | 'not_sent',
  more: readonly OperationMove[] = [],
): Settlement {
  const code = codeOf('cancel_successful');
  return settlement(order, state, {
    code: codeOf('provider_unreachable'),
    reason: state === 'declined' ? 'reversed' : 'cancelled before it was sent',
    status: 'authorization_cancelled',
    cancel_pending: false,
    others: [...more, ...cancelsOf(order).map(moved('successful', code, null))],
    events: [{ type: 'authorization_cancelled', code }],
  });
}

/** `code`: why, where the end is to say it. */
function reversing(
  { order, operation }: Authorization,
  { code = null, alert }: { readonly code?: string | null; readonly alert?: string } = {},
): Settlement {
  return settlement(order, 'reversing', { code, follow: reversalOf(operation), alert });
}

export function reversalOf({ id, amount_minor }: Pick<OperationFacts, 'id' | 'amount_minor'>): Follow {
  return {
    kind: 'reversal',
    state: 'requested',
    waits_for: 'call',
    amount_minor,
    origin: 'recovery',
    target_id: id,
    code: null,
  };
}

const moved = (state: OperationMove['state'], code: string | null, reason: string | null) => (o: OperationFacts) => ({
  id: o.id,
  state,
  code,
  reason,
});

function reversalsOf(order: OrderFacts, { id }: OperationFacts): readonly OperationFacts[] {
  return order.operations.filter((o) => o.kind === 'reversal' && o.target_id === id && !isFinal(o));
}

/** The open cancels of the order, which wait for its authorization. */
function cancelsOf(order: OrderFacts): readonly OperationFacts[] {
  return order.operations.filter((o) => o.kind === 'cancel' && !isFinal(o));
}
