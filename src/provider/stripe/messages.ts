// Messages from Stripe: https://docs.stripe.com/webhooks. The signature covers the whole body, `t.body`. An object in a
// message is as old as the message, and messages come in any order, so an intent is looked up. So is a refund that
// succeeded, because it may have failed since. A failed refund and a dispute say themselves what they are.
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { at, minorAt, objectOf, textAt } from '../answer.ts';
import { NOT_NAMED, type Dispute, type Match, type News, type Notice, type SignatureRecipe } from '../notices.ts';
import { oursOf } from './exponents.ts';
import { refundSays } from './refunds.ts';
import { BY_ITSELF, declinedFor } from './words.ts';

/** How old a signature may be, by Stripe's own advice. */
const TOLERANCE_S = 300;

type Meaning = Pick<Notice, 'match' | 'news'>;
/** `before`: what the object's changed members were. */
type Event = { readonly object: JsonObject; readonly created: bigint; readonly before: JsonValue | undefined };

export function open(raw: Uint8Array, headers: Readonly<Record<string, string | undefined>>): readonly Notice[] {
  const said = objectOf(raw);
  const [event_ref, object, created] = [textAt(said, 'id'), at(said, 'data', 'object'), minorAt(said, 'created')];
  if (textAt(said, 'object') !== 'event' || event_ref === '' || !(object instanceof Map) || created === undefined)
    return [];
  const before = at(said, 'data', 'previous_attributes');
  const means = MEANINGS.get(textAt(said, 'type')) ?? notUnderstood;
  return [
    { event_ref, proof: recipe(raw, headers['stripe-signature'] ?? ''), of: {}, ...means({ object, created, before }) },
  ];
}

/**
 * `t=1492774577,v1=5257a8…,v1=…`: while one key replaces another, both sign. v0 is of another scheme, and proves
 * nothing.
 */
function recipe(raw: Uint8Array, header: string): SignatureRecipe {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const said_at = parts.find(([name]) => name === 't')?.[1] ?? '';
  const at_s = /^\d{1,11}$/.test(said_at) ? said_at : '0';
  return {
    kind: 'hmac',
    secret: 'webhook_secret',
    secret_form: 'text',
    over: Uint8Array.from([...new TextEncoder().encode(`${said_at}.`), ...raw]),
    given: parts.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : [])),
    given_form: 'hex',
    at_ms: Number(at_s) * 1000,
    tolerance_s: TOLERANCE_S,
  };
}

const notUnderstood = (): Meaning => ({ match: null, news: { kind: 'not_understood' } });
const nothing = (): Meaning => ({ match: null, news: { kind: 'nothing' } });
const ofIntent = ({ object }: Event): Meaning => ({
  match: { ...NOT_NAMED, kind: 'authorize', ours: oursIn(object), reference: textAt(object, 'id') || null },
  news: { kind: 'look' },
});
const ofHeld = (event: Event): Meaning => ({ ...ofIntent(event), news: { kind: 'look', says: 'done' } });
const ofTaken = (event: Event): Meaning => ({ ...ofIntent(event), news: { kind: 'look', says: 'captured' } });
/** One that ends by itself has a message of its own, too, `charge.expired`. */
const ofCanceled = (event: Event): Meaning => {
  const says = BY_ITSELF.has(textAt(event.object, 'cancellation_reason')) ? 'lapsed' : 'undone';
  return { ...ofIntent(event), news: { kind: 'look', says } };
};
const lapsed = ({ object }: Event): Meaning => ({ match: ofCharge(object, 'authorize'), news: { kind: 'lapsed' } });
const captured = ({ object }: Event): Meaning => ({
  match: { ...ofCharge(object, 'capture'), ...moneyIn(object, 'amount_captured') },
  news: { kind: 'look', says: 'done' },
});

const MEANINGS: ReadonlyMap<string, (event: Event) => Meaning> = new Map([
  ['payment_intent.created', nothing],
  ['payment_intent.amount_capturable_updated', ofHeld],
  ['payment_intent.succeeded', ofTaken],
  ['payment_intent.payment_failed', ofIntent],
  ['payment_intent.requires_action', ofIntent],
  ['payment_intent.processing', ofIntent],
  ['payment_intent.canceled', ofCanceled],
  ['charge.succeeded', nothing],
  ['charge.failed', nothing],
  ['charge.pending', nothing],
  ['charge.updated', nothing],
  ['charge.captured', captured],
  ['charge.expired', lapsed],
  // it carries the charge, and means no single refund: the refund has messages of its own
  ['charge.refunded', nothing],
  ['refund.created', ofRefund],
  ['refund.updated', ofRefund],
  ['refund.failed', ofRefund],
  ['charge.refund.updated', ofRefund],
  ['charge.dispute.created', ofDispute],
  ['charge.dispute.closed', ofDispute],
  ['charge.dispute.updated', ofChangedDispute],
  ['charge.dispute.funds_withdrawn', nothing],
  ['charge.dispute.funds_reinstated', nothing],
]);

function oursIn(object: JsonObject): Match['ours'] {
  const [order_id, operation_id] = [textAt(object, 'metadata', 'order_id'), textAt(object, 'metadata', 'operation_id')];
  return order_id === '' || operation_id === '' ? null : { order_id, operation_id };
}

/** A charge repeats what was written on its intent: it names the authorization, whatever happened to it since. */
function ofCharge(object: JsonObject, kind: 'authorize' | 'capture'): Match {
  const intent = textAt(object, 'payment_intent') || null;
  return kind === 'authorize'
    ? { ...NOT_NAMED, kind, ours: oursIn(object), reference: intent }
    : { ...NOT_NAMED, kind, authorization_reference: intent };
}

function moneyIn(object: JsonObject, member: string): Pick<Match, 'amount_minor' | 'currency'> {
  const currency = textAt(object, 'currency').toUpperCase();
  const amount_minor = oursOf(minorAt(object, member), currency);
  return amount_minor === undefined ? NOT_NAMED : { amount_minor, currency };
}

/** A failed refund was reported as done, or accepted, before: either is now wrong. */
function ofRefund({ object }: Event): Meaning {
  const kind = textAt(object, 'metadata', 'operation') === 'reversal' ? 'reversal' : 'refund';
  const reference = textAt(object, 'id') || null;
  const ours = oursIn(object);
  const authorization_reference = textAt(object, 'payment_intent') || null;
  const match = { kind, ours, reference, authorization_reference, ...pick(moneyIn(object, 'amount')) } as const;
  return { match, news: refundNews(object, kind, ours?.operation_id ?? '') };
}

function refundNews(object: JsonValue, kind: 'refund' | 'reversal', operation_id: string): News {
  // one that was made in the Dashboard names nothing of ours
  const nameless = operation_id === '';
  const said = refundSays(object, { kind, operation_id, by_inquiry: false, nameless });
  if (said.kind === 'unknown' || (nameless && said.kind === 'pending')) return { kind: 'look' };
  // one that succeeded may have failed since
  if (said.kind === 'approved' || said.kind === 'reversed') return { kind: 'look', says: 'done' };
  if (said.kind !== 'declined') return said;
  return { kind: 'corrected', result: declinedFor(kind, object, null).result, reference: said.reference };
}

const pick = ({ amount_minor, currency }: Pick<Match, 'amount_minor' | 'currency'>) => ({ amount_minor, currency });

/** `warning_…` is an inquiry of the bank before a dispute; one that was closed took no money. */
const STATES: ReadonlyMap<string, Dispute['state']> = new Map([
  ['needs_response', 'opened'],
  ['under_review', 'opened'],
  ['won', 'won'],
  ['lost', 'lost'],
]);
const WARNING = /^warning_/;

/** An inquiry of the bank became a dispute. */
function ofChangedDispute(event: Event): Meaning {
  return WARNING.test(textAt(event.before, 'status')) ? ofDispute(event) : nothing();
}

function ofDispute({ object, created }: Event): Meaning {
  const { amount_minor, currency } = moneyIn(object, 'amount');
  const status = textAt(object, 'status');
  if (WARNING.test(status)) return nothing();
  const state = STATES.get(status);
  if (state === undefined || amount_minor === null || currency === null) return notUnderstood();
  const authorization_reference = textAt(object, 'payment_intent') || null;
  const due_s = minorAt(object, 'evidence_details', 'due_by');
  return {
    // the whole capture is meant, however much of it is in dispute
    match: { ...NOT_NAMED, kind: 'capture', authorization_reference },
    news: {
      kind: 'dispute',
      state,
      amount_minor,
      currency,
      reason: textAt(object, 'reason'),
      reason_code: textAt(object, 'payment_method_details', 'card', 'network_reason_code'),
      at: new Date(Number(created) * 1000).toISOString(),
      reference: textAt(object, 'id'),
      ...(due_s !== undefined && { due_at: new Date(Number(due_s) * 1000).toISOString() }),
    },
  };
}
