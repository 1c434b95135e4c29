// An error with a body: https://docs.stripe.com/api/errors. What is a bug of ours, or says that a key is taken, proves
// nothing of the money.
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { type Declined, NOT_HEARD, PROVIDER_ERROR, UNREADABLE, at, textAt } from '../answer.ts';
import type { Facts, Outcome, Reading } from '../contract.ts';
import { STEPS, type StepName } from './steps.ts';
import { type Own, askedOf, declinedFor, intentOf, wordsOf } from './words.ts';

const REFUSED = new Set([400, 401, 402, 403, 404]);
const TYPES = new Set(['card_error', 'invalid_request_error']);

export const isRefusal = (status: number, said: JsonObject): boolean =>
  REFUSED.has(status) && at(said, 'error') instanceof Map;

type Refused = { readonly step: StepName; readonly status: number };

export function readRefusal({ step, status }: Refused, said: JsonObject, own: Own): Reading {
  const { facts } = own;
  const error = at(said, 'error') ?? null;
  if (!TYPES.has(textAt(error, 'type')) || isOfAnother(error, own)) return UNREADABLE;
  const was_heard = status === 400 || status === 402;
  // the refusal of a read or a reversal says nothing of the money
  if (STEPS[step].method === 'GET') return was_heard ? UNREADABLE : NOT_HEARD;
  if (facts.kind === 'reversal') return was_heard ? reversalRefused(step, error, facts) : NOT_HEARD;
  if (!was_heard) return turnedAway(status, error, facts);
  // an intent that cannot be confirmed any more may have been confirmed before: it is looked at
  const is_state = textAt(error, 'code') === 'payment_intent_unexpected_state';
  return is_state && facts.kind === 'authorize' ? PROVIDER_ERROR : declined(error, facts);
}

/** Most errors carry the intent that they are about. */
function isOfAnother(error: JsonValue, own: Own): boolean {
  const intent = textAt(error, 'payment_intent', 'id');
  return intent !== '' && intent !== intentOf(own);
}

/**
 * The call went to a wrong account. Status 404 means that, too: another account does not know an id that Stripe gave
 * us.
 */
function turnedAway(status: number, error: JsonValue, facts: Facts): Outcome {
  if (status === 404) return { ...declined(error, facts), unheard: true };
  const result = status === 401 ? 'provider_credentials_invalid' : 'provider_rights_missing';
  return { kind: 'declined', result, reference: null, ...wordsOf(error), unheard: true };
}

function declined(error: JsonValue, facts: Facts): Declined {
  const { kind } = askedOf(facts);
  return declinedFor(kind, error, kind === 'authorize' ? textAt(error, 'payment_intent', 'id') || null : null);
}

/** A reversal was refused: the authorization was captured meanwhile, and is refunded; or it does not stand any more. */
function reversalRefused(step: StepName, error: JsonValue, facts: Facts): Reading {
  const gone = { kind: 'reversed', reference: facts.authorization_reference, our_reference: null } as const;
  if (step === 'undo') return textAt(error, 'code') === 'charge_already_refunded' ? gone : declined(error, facts);
  const stands = textAt(error, 'payment_intent', 'status');
  if (stands === 'succeeded') return { kind: 'next', step: 'undo', keep: { undo: 'refund' } };
  return stands === 'canceled' ? gone : PROVIDER_ERROR;
}
