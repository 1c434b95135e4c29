// The parts of an order, as PayPal shows them in an order, alone, and in messages: an authorization, a capture, a
// refund.
import type { JsonValue } from '../../core/json.ts';
import { schemeWords } from '../../core/retries/follow.ts';
import { type Declined, PROVIDER_ERROR, UNREADABLE, at, textAt } from '../answer.ts';
import { type Outcome, VALUE } from '../contract.ts';
import { moneyAt } from './money.ts';
import { type Asked, ourReferenceIn } from './names.ts';
import { RESPONSES, rowOfIssue, rowOfResponse } from './results.ts';

/** What the whole order says in addition to the part: how the payer was authenticated. */
export type Around = {
  readonly liability_shifted?: boolean;
  readonly authenticated: boolean;
  /** The scheme of the card: its advice codes mean other things than those of other schemes. */
  readonly scheme?: string | null;
};

const ALONE: Around = { authenticated: false };

/** A hold; of one that ended by itself or was voided nothing is left. */
export function authorizationSays(said: JsonValue, around: Around = ALONE): Outcome {
  const [reference, status] = [textAt(said, 'id'), textAt(said, 'status')];
  if (!VALUE.test(reference)) return UNREADABLE;
  switch (status) {
    case 'CREATED':
    case 'CAPTURED':
    case 'PARTIALLY_CAPTURED':
      return approved(said, { captured: false, ...around });
    case 'PENDING':
      return { kind: 'pending', reference };
    case 'DENIED':
      return declinedPart(said, around);
    case 'VOIDED':
      return { kind: 'declined', result: 'provider_unreachable', reference, provider_code: status, provider_text: '' };
    default:
      return UNREADABLE;
  }
}

/** A sale, or a capture of what is held. One that was given back was taken. */
export function captureSays(said: JsonValue, kind: 'authorize' | 'capture', around: Around = ALONE): Outcome {
  const [reference, status] = [textAt(said, 'id'), textAt(said, 'status')];
  if (!VALUE.test(reference)) return UNREADABLE;
  switch (status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return approved(said, { captured: true, ...around }, kind === 'capture' ? 'invoice_id' : 'custom_id');
    case 'PENDING':
      return { kind: 'pending', reference };
    case 'DECLINED':
    case 'FAILED':
      return kind === 'authorize'
        ? declinedPart(said, around)
        : { kind: 'declined', ...rowOfIssue('capture', ''), reference, ...wordsOf(said) };
    default:
      return UNREADABLE;
  }
}

/** Reads a refund. In a reversal the refund is the step that gives everything back. */
export function refundSays(said: JsonValue, { kind, operation_id }: Pick<Asked, 'kind' | 'operation_id'>): Outcome {
  const [reference, status] = [textAt(said, 'id'), textAt(said, 'status')];
  if (!VALUE.test(reference)) return UNREADABLE;
  const is_reversal = kind === 'reversal';
  if (is_reversal && ourReferenceIn(textAt(said, 'custom_id')) !== operation_id) return UNREADABLE;
  switch (status) {
    case 'COMPLETED':
      return is_reversal
        ? { kind: 'reversed', reference, our_reference: null }
        : approved(said, { captured: false, authenticated: false });
    case 'PENDING':
      return { kind: 'pending', reference };
    case 'FAILED':
    case 'CANCELLED':
      return { kind: 'declined', ...rowOfIssue('refund', ''), reference, ...wordsOf(said) };
    default:
      return UNREADABLE;
  }
}

/** The outcome of a cancel, or of the void in a reversal. */
export function voidSays(said: JsonValue, { kind, by_inquiry }: Asked): Outcome {
  const [reference, status] = [textAt(said, 'id'), textAt(said, 'status')];
  if (!VALUE.test(reference)) return UNREADABLE;
  if (kind === 'reversal')
    return status === 'VOIDED' ? { kind: 'reversed', reference, our_reference: null } : PROVIDER_ERROR;
  // it says name and amount of the authorization, not those of the cancel: behind a capture only the rest is released
  if (status === 'VOIDED') return approved(said, { captured: false, authenticated: false }, null);
  if (!by_inquiry) return UNREADABLE;
  if (HELD.has(status)) return { kind: 'not_found' };
  return status === 'CAPTURED'
    ? { kind: 'declined', ...rowOfIssue('cancel', 'PREVIOUSLY_CAPTURED'), reference, ...wordsOf(said) }
    : UNREADABLE;
}

const HELD = new Set(['CREATED', 'PENDING', 'PARTIALLY_CAPTURED']);

type Approving = Around & { readonly captured: boolean };
const VISIBLE = /^[\x21-\x7e]{1,50}$/;

function approved(
  said: JsonValue,
  { captured, liability_shifted }: Approving,
  ours: 'custom_id' | 'invoice_id' | null = 'custom_id',
): Outcome {
  const money = moneyAt(at(said, 'amount'));
  if (!money) return UNREADABLE;
  const code = textAt(said, 'processor_response', 'response_code');
  const network_reference = textAt(said, 'network_transaction_reference', 'id');
  const is_part = Object.hasOwn(RESPONSES, code) && RESPONSES[code]?.partial === true;
  return {
    kind: 'approved',
    reference: textAt(said, 'id'),
    our_reference: ours === null ? null : ourReferenceIn(textAt(said, ours)),
    // a part was approved, whatever the amount beside it is: never what was asked for
    amount_minor: is_part ? 0n : ours === null ? null : money.amount_minor,
    currency: money.currency,
    authorization_code: '',
    captured,
    ...wordsOf(said),
    ...(VISIBLE.test(network_reference) && { network_reference }),
    ...(liability_shifted !== undefined && { liability_shifted }),
  };
}

function declinedPart(said: JsonValue, { authenticated, scheme }: Around): Declined {
  const code = textAt(said, 'processor_response', 'response_code');
  const advice = textAt(said, 'processor_response', 'payment_advice_code');
  const { result, retry } = rowOfResponse({ code, advice, authenticated });
  const by_scheme = schemeWords(scheme === 'visa' ? 'visa' : 'mastercard', advice);
  return {
    kind: 'declined',
    result,
    ...(retry && { retry }),
    reference: textAt(said, 'id'),
    ...wordsOf(said),
    ...by_scheme,
  };
}

/** PayPal's own words, for people who look into the payment. */
function wordsOf(said: JsonValue): { provider_code: string; provider_text: string } {
  const code = textAt(said, 'processor_response', 'response_code');
  return { provider_code: code || textAt(said, 'status'), provider_text: textAt(said, 'status_details', 'reason') };
}
