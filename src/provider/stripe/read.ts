// Reads Stripe's answers. An intent tells the state of all its operations; a refusal tells why.
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { PROVIDER_ERROR, UNREADABLE, at, minorAt, objectOf, textAt } from '../answer.ts';
import { type Answer, type Facts, type Outcome, type Reading, VALUE } from '../contract.ts';
import { oursOf, theirsOf } from './exponents.ts';
import { refundSays } from './refunds.ts';
import { isRefusal, readRefusal } from './refusals.ts';
import type { StepName } from './steps.ts';
import { type Asked, type Own, askedOf, declinedFor, intentOf, wordsOf } from './words.ts';

/** Statuses that prove nothing: a key in use, too many requests, a failure. */
const NOTHING_PROVED = (status: number): boolean => status >= 500 || status === 409 || status === 424 || status === 429;

export function read(step: StepName, { status, body }: Answer, asked: Own): Reading {
  if (NOTHING_PROVED(status)) return PROVIDER_ERROR;
  const said = objectOf(body);
  if (said === undefined) return UNREADABLE;
  if (isRefusal(status, said)) return readRefusal({ step, status }, said, asked);
  return status === 200 ? readDone(step, said, asked) : UNREADABLE;
}

function readDone(step: StepName, said: JsonObject, own: Own): Reading {
  const { facts } = own;
  switch (step) {
    case 'shell':
      return readShell(said, facts);
    case 'card': {
      const id = textAt(said, 'id');
      const made = textAt(said, 'object') === 'payment_method' && textAt(said, 'type') === 'card' && VALUE.test(id);
      return made ? { kind: 'next', step: 'confirm', keep: { payment_method: id } } : UNREADABLE;
    }
    case 'token':
      return isIntent(said, own) ? { kind: 'next', step: 'confirm', keep: {} } : UNREADABLE;
    case 'confirm':
    case 'look':
    case 'capture':
    case 'cancel':
      return isIntent(said, own) ? readIntent(said, facts) : UNREADABLE;
    case 'refund':
    case 'undo':
    case 'refund_by_id':
      return refundSays(said, askedOf(facts));
    case 'refunds':
      return findRefund(said, askedOf(facts));
  }
}

/** An intent that differs from what was asked for is left as it is, and never paid. */
function readShell(said: JsonObject, facts: Facts): Reading {
  const id = textAt(said, 'id');
  const as_asked =
    textAt(said, 'object') === 'payment_intent' &&
    VALUE.test(id) &&
    textAt(said, 'status') === 'requires_payment_method' &&
    textAt(said, 'metadata', 'operation_id') === facts.operation_id &&
    minorAt(said, 'amount') === theirsOf(facts.amount_minor, facts.currency) &&
    textAt(said, 'currency').toUpperCase() === facts.currency &&
    textAt(said, 'capture_method') === (facts.with_capture ? 'automatic' : 'manual');
  const step = facts.psp_token === true ? 'token' : 'card';
  return as_asked ? { kind: 'next', step, keep: { intent: id }, reference: id } : UNREADABLE;
}

const isIntent = (said: JsonObject, own: Own): boolean =>
  textAt(said, 'object') === 'payment_intent' && textAt(said, 'id') === intentOf(own);

/** An intent tells the state of all its operations; the step and the facts decide which part of it is the answer. */
function readIntent(said: JsonObject, facts: Facts): Outcome {
  const asked = askedOf(facts);
  switch (asked.kind) {
    case 'authorize':
      return authorizationSays(said, asked);
    case 'capture':
      return captureSays(said, asked);
    case 'cancel':
      return cancelSays(said, asked);
    case 'reversal':
      // a cancel that shows no effect yet is sent again: only `canceled` proves that nothing is held
      return textAt(said, 'status') === 'canceled'
        ? { kind: 'reversed', reference: textAt(said, 'id'), our_reference: authorizationIn(said) }
        : PROVIDER_ERROR;
    case 'refund':
      return UNREADABLE;
  }
}

function authorizationSays(said: JsonObject, asked: Asked): Outcome {
  const [reference, status] = [textAt(said, 'id'), textAt(said, 'status')];
  const error = at(said, 'last_payment_error');
  const refused = error instanceof Map ? declinedFor(asked.kind, error, reference) : undefined;
  switch (status) {
    case 'requires_capture':
      return approved(said, minorAt(said, 'amount_capturable'), authorizationIn(said) ?? '');
    case 'succeeded':
      return approved(said, minorAt(said, 'amount_received'), authorizationIn(said) ?? '');
    case 'processing':
      return { kind: 'pending', reference };
    case 'requires_action':
      return payerMustAct(said, reference);
    case 'requires_payment_method':
    case 'requires_confirmation':
      // without an error no payment was tried yet: the confirmation has not arrived, and may still arrive
      return refused ?? (asked.by_inquiry ? { kind: 'not_found' } : UNREADABLE);
    case 'canceled':
      // cancelled by us or by Stripe: nothing is held
      return refused ?? { kind: 'declined', result: 'provider_unreachable', reference, ...wordsOf(said) };
    default:
      return UNREADABLE;
  }
}

function payerMustAct(said: JsonObject, reference: string): Outcome {
  const url = textAt(said, 'next_action', 'redirect_to_url', 'url');
  if (!/^https?:\/\/\S+$/.test(url)) return UNREADABLE;
  const go = { method: 'GET', url } as const;
  return { kind: 'payer_must_act', reference, go, resume: 'look', finishes: 'there', takes: [] };
}

function captureSays(said: JsonObject, asked: Asked): Outcome {
  const [reference, status] = [textAt(said, 'id'), textAt(said, 'status')];
  if (status === 'succeeded') return approved(said, minorAt(said, 'amount_received'), null);
  if (status === 'processing') return { kind: 'pending', reference };
  if (!asked.by_inquiry) return UNREADABLE;
  if (status === 'requires_capture') return { kind: 'not_found' };
  return status === 'canceled' ? declinedFor('capture', said, reference) : UNREADABLE;
}

function cancelSays(said: JsonObject, asked: Asked): Outcome {
  const [reference, status] = [textAt(said, 'id'), textAt(said, 'status')];
  if (status === 'canceled') return approved(said, minorAt(said, 'amount'), null);
  if (!asked.by_inquiry) return UNREADABLE;
  if (status === 'succeeded') return declinedFor('cancel', said, reference);
  return status.startsWith('requires_') ? { kind: 'not_found' } : UNREADABLE;
}

/**
 * Our id of the operation that the intent speaks of. A capture or a cancel has no reference of its own at Stripe,
 * because an intent has at most one of each.
 */
const authorizationIn = (said: JsonValue): string | null => textAt(said, 'metadata', 'operation_id') || null;

const VISIBLE = /^[\x21-\x7e]{1,50}$/;

function approved(said: JsonObject, theirs: bigint | undefined, our_reference: string | null): Outcome {
  const currency = textAt(said, 'currency').toUpperCase();
  const amount_minor = oursOf(theirs, currency);
  if (amount_minor === undefined || our_reference === '') return UNREADABLE;
  const charge = at(said, 'latest_charge');
  const card = at(charge, 'payment_method_details', 'card');
  const [secured, code] = [textAt(card, 'three_d_secure', 'result'), textAt(card, 'authorization_code')];
  const shifted = secured === 'authenticated' || secured === 'attempt_acknowledged';
  const network_reference = textAt(card, 'network_transaction_id');
  const risk = minorAt(charge, 'outcome', 'risk_score');
  const risk_score = risk === undefined || risk > 100n ? undefined : Number(risk);
  return {
    kind: 'approved',
    reference: textAt(said, 'id'),
    our_reference,
    amount_minor,
    currency,
    authorization_code: VISIBLE.test(code) ? code : '',
    captured: textAt(said, 'status') === 'succeeded',
    provider_code: textAt(said, 'status'),
    provider_text: textAt(charge, 'outcome', 'seller_message'),
    ...(VISIBLE.test(network_reference) && { network_reference }),
    ...(risk_score !== undefined && { risk_score }),
    ...(secured !== '' && { liability_shifted: shifted }),
    // null where nothing was done
    ...(at(card, 'three_d_secure') !== undefined && !shifted && { unauthenticated: true }),
  };
}

function findRefund(said: JsonObject, asked: Asked): Outcome {
  const list = at(said, 'data');
  if (textAt(said, 'object') !== 'list' || !Array.isArray(list)) return UNREADABLE;
  const found = list.find((one: JsonValue) => textAt(one, 'metadata', 'operation_id') === asked.operation_id);
  if (found !== undefined) return refundSays(found, asked);
  // the refund may be on a later page; a reversal that is not found is sent again
  return at(said, 'has_more') === false && asked.kind === 'refund' ? { kind: 'not_found' } : PROVIDER_ERROR;
}
