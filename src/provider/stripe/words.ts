// Functions that the readers of Stripe's answers and messages share: which operation is meant, and our words for a
// refusal.
import type { JsonValue } from '../../core/json.ts';
import type { ResultName } from '../../core/results.ts';
import { schemeWords } from '../../core/retries/follow.ts';
import { type Declined, textAt } from '../answer.ts';
import type { CodeRow, Refusable } from '../code-rows.ts';
import type { Facts, Kept } from '../contract.ts';
import { rowOfAuthorization, rowOfFollowUp } from './results.ts';

/** The operation's facts, and what its steps left. */
export type Own = { readonly facts: Facts; readonly kept: Kept };

/** The intent that an operation is about: its own, once there is one. */
export const intentOf = ({ facts, kept }: Own): string =>
  kept['intent'] ?? facts.authorization_reference ?? facts.about?.kept['intent'] ?? '';

/** The operation that an answer is about: of an inquiry, the one that is asked about. */
export type Asked = {
  readonly kind: Refusable;
  readonly operation_id: string;
  readonly by_inquiry: boolean;
  /** Made in the Dashboard. */
  readonly nameless?: boolean;
};

export function askedOf({ kind, operation_id, about }: Facts): Asked {
  if (kind !== 'inquiry') return { kind, operation_id, by_inquiry: false };
  const nameless = about?.nameless === true;
  return { kind: about?.kind ?? 'authorize', operation_id: about?.operation_id ?? '', by_inquiry: true, nameless };
}

/** The decline, from an error, a refund or an intent that says why it failed. */
export function declinedFor(kind: Refusable, said: JsonValue, reference: string | null): Declined {
  const row =
    kind === 'authorize'
      ? rowFor(said)
      : (rowOfState(kind, said) ?? rowOfFollowUp(kind, textAt(said, 'code') || textAt(said, 'param')));
  const by_scheme =
    kind === 'authorize' &&
    schemeWords('mastercard', textAt(said, 'network_advice_code'), textAt(said, 'network_decline_code'));
  return { kind: 'declined', ...row, reference, ...wordsOf(said), ...by_scheme };
}

/** A request that was not built right is ours to fix; anything else that no row names is a decline. */
function rowFor(said: JsonValue): CodeRow {
  const unlisted = textAt(said, 'type') === 'invalid_request_error' ? 'integration_error' : 'authorization_declined';
  return rowOfAuthorization(textAt(said, 'code'), textAt(said, 'decline_code')) ?? { result: unlisted };
}

/** `cancellation_reason` of an intent whose hold ended by itself; `expired` in versions since 2025-03-31. */
export const BY_ITSELF: ReadonlySet<string> = new Set(['automatic', 'expired']);

/** How the intent stands says more than the code, which is one for all: payment_intent_unexpected_state. */
function rowOfState(kind: Refusable, said: JsonValue): CodeRow | undefined {
  const lapsed = statusIn(said) === 'canceled' && BY_ITSELF.has(whyIn(said));
  const result = lapsed ? LAPSED[kind] : STANDS[kind]?.[statusIn(said)];
  return result && { result };
}

const LAPSED: Readonly<Partial<Record<Refusable, ResultName>>> = {
  capture: 'capture_after_lapse',
  cancel: 'issuer_cancel_after_lapse',
};
const STANDS: Readonly<Partial<Record<Refusable, Readonly<Record<string, ResultName>>>>> = {
  capture: { succeeded: 'provider_capture_already_done', canceled: 'capture_unavailable' },
  cancel: { succeeded: 'issuer_cancel_after_capture', canceled: 'issuer_cancel_already_done' },
};

/** The status of the intent: of the one inside an error, or of the one that was asked for. */
const statusIn = (said: JsonValue) => textAt(said, 'payment_intent', 'status') || textAt(said, 'status');
const whyIn = (said: JsonValue) =>
  textAt(said, 'payment_intent', 'cancellation_reason') || textAt(said, 'cancellation_reason');

/** Stripe's own words, for people who look into the payment. */
export function wordsOf(said: JsonValue): { provider_code: string; provider_text: string } {
  const code = textAt(said, 'decline_code') || textAt(said, 'code') || textAt(said, 'failure_reason');
  return {
    provider_code: code || whyIn(said) || statusIn(said) || textAt(said, 'type'),
    provider_text: textAt(said, 'message'),
  };
}
