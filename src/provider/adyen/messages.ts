// Messages from Adyen, signed item by item (docs.adyen.com/development-resources/webhooks/verify-hmac-signatures). The
// signature covers neither `reason` nor `additionalData`: nothing in them moves money.
import { JsonNumber, type JsonValue } from '../../core/json.ts';
import { at, objectOf, textAt } from '../answer.ts';
import type { Dispute, Match, News, Notice } from '../notices.ts';
import { type Money, moneyAt } from './exponents.ts';
import { operationOf } from './reference.ts';
import { UNLISTED_REFUSAL } from './results.ts';

export function open(raw: Uint8Array): readonly Notice[] {
  const items = at(objectOf(raw), 'notificationItems');
  return Array.isArray(items) ? items.map((one: JsonValue) => noticeOf(at(one, 'NotificationRequestItem'))) : [];
}

function noticeOf(item: JsonValue | undefined): Notice {
  const [event, success, reference] = [
    textAt(item, 'eventCode'),
    textAt(item, 'success'),
    textAt(item, 'pspReference'),
  ];
  const account = textAt(item, 'merchantAccountCode');
  const value = at(item, 'amount', 'value');
  const signed = [
    reference,
    textAt(item, 'originalReference'),
    account,
    textAt(item, 'merchantReference'),
    value instanceof JsonNumber ? value.text : '',
    textAt(item, 'amount', 'currency'),
    event,
    success,
  ];
  const kind = KINDS.get(event);
  const money = moneyAt(at(item, 'amount'));
  return {
    // a message has no id of its own, and each delivery of one may have a time of its own
    event_ref: `${event}.${reference}.${success}`,
    proof: {
      kind: 'hmac',
      secret: 'hmac_key',
      secret_form: 'hex',
      over: new TextEncoder().encode(signed.join(':')),
      given: [textAt(item, 'additionalData', 'hmacSignature')],
      given_form: 'base64',
    },
    of: { merchant_account: account },
    match: kind === undefined ? null : matchOf(kind, item, money),
    news: newsOf(event, success, { item, money, reference }),
  };
}

/**
 * The kind of operation that an event is about. TECHNICAL_CANCEL names the payment that is undone, so `ours` is the
 * reference of the authorization.
 */
const KINDS: ReadonlyMap<string, Match['kind']> = new Map([
  ['AUTHORISATION', 'authorize'],
  ['EXPIRE', 'authorize'],
  ['CAPTURE', 'capture'],
  ['CAPTURE_FAILED', 'capture'],
  ['CANCELLATION', 'cancel'],
  // which of the two it was is not signed: a person must look
  ['CANCEL_OR_REFUND', 'cancel'],
  ['TECHNICAL_CANCEL', 'reversal'],
  ['REFUND', 'refund'],
  ['REFUND_FAILED', 'refund'],
  ['REFUNDED_REVERSED', 'refund'],
  ['NOTIFICATION_OF_CHARGEBACK', 'capture'],
  ['CHARGEBACK', 'capture'],
  ['CHARGEBACK_REVERSED', 'capture'],
  ['SECOND_CHARGEBACK', 'capture'],
  ['PREARBITRATION_LOST', 'capture'],
  ['PREARBITRATION_WON', 'capture'],
  ['INFORMATION_SUPPLIED', 'capture'],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', 'capture'],
  ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'capture'],
]);

/**
 * What an event says of a dispute, and of the evidence
 * (docs.adyen.com/risk-management/disputes-api/dispute-notifications). CHARGEBACK takes the money away,
 * CHARGEBACK_REVERSED brings it back, SECOND_CHARGEBACK takes it away again; the other events move none.
 */
const DISPUTES: ReadonlyMap<string, Pick<Dispute, 'state' | 'evidence' | 'opens_none'>> = new Map([
  ['CHARGEBACK', { state: 'opened' }],
  ['INFORMATION_SUPPLIED', { state: 'opened', opens_none: true, evidence: 'given' }],
  ['CHARGEBACK_REVERSED', { state: 'won', evidence: 'given' }],
  ['SECOND_CHARGEBACK', { state: 'lost', evidence: 'given' }],
  ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', { state: 'opened', opens_none: true, evidence: 'given' }],
  // accepted, or not defended in time
  ['DISPUTE_DEFENSE_PERIOD_ENDED', { state: 'lost', opens_none: true, evidence: 'none' }],
  ['PREARBITRATION_LOST', { state: 'lost' }],
  ['PREARBITRATION_WON', { state: 'won' }],
]);

function matchOf(kind: Match['kind'], item: JsonValue | undefined, money: Money | undefined): Match {
  const reference = textAt(item, 'pspReference') || null;
  const is_dispute = DISPUTES.has(textAt(item, 'eventCode'));
  return {
    kind,
    ours: operationOf(textAt(item, 'merchantReference')),
    // a dispute has a reference of its own, which is no operation's
    reference: is_dispute ? null : reference,
    authorization_reference: textAt(item, 'originalReference') || (kind === 'authorize' ? reference : null),
    amount_minor: money?.amount_minor ?? null,
    currency: money?.currency ?? null,
  };
}

type Told = { readonly item: JsonValue | undefined; readonly money: Money | undefined; readonly reference: string };

const NOT_UNDERSTOOD: News = { kind: 'not_understood' };

function newsOf(event: string, success: string, told: Told): News {
  if (NOTHING_TO_US.has(event)) return { kind: 'nothing' };
  if (success === 'true') return trueOf(event, told);
  if (success === 'false') return falseOf(event, told);
  return NOT_UNDERSTOOD;
}

const NOTHING_TO_US = new Set(['NOTIFICATION_OF_CHARGEBACK', 'RECURRING_CONTRACT', 'REPORT_AVAILABLE']);

/** An event with success "true". For CAPTURE_FAILED and REFUND_FAILED that means: the capture or refund has failed. */
function trueOf(event: string, told: Told): News {
  const reference = told.reference || null;
  const ours = operationOf(textAt(told.item, 'merchantReference'));
  switch (event) {
    case 'AUTHORISATION':
      return doneOf(told, ours?.operation_id ?? null);
    case 'CAPTURE':
    case 'REFUND':
    case 'CANCELLATION':
      // some accounts repeat the payment's reference here: it tells which order, and nothing against the operation
      return doneOf(told, null);
    case 'CAPTURE_FAILED':
      return { kind: 'corrected', result: 'capture_declined', reference };
    case 'REFUND_FAILED':
    case 'REFUNDED_REVERSED':
      return { kind: 'corrected', result: 'refund_declined', reference };
    case 'TECHNICAL_CANCEL':
      return { kind: 'reversed', reference, our_reference: ours?.operation_id ?? null };
    case 'EXPIRE':
      return { kind: 'lapsed' };
    default:
      return disputeOf(event, told) ?? NOT_UNDERSTOOD;
  }
}

function falseOf(event: string, { item, reference }: Told): News {
  const result = REFUSED.get(event);
  // nothing is held under that reference, or not yet
  if (event === 'TECHNICAL_CANCEL') return { kind: 'not_found' };
  if (result === undefined) return NOT_UNDERSTOOD;
  const told = { provider_code: event, provider_text: textAt(item, 'reason') };
  return { kind: 'declined', result, reference: reference || null, ...told };
}

/** The reason of a refusal is not signed in a message: only the answer gives it. */
const REFUSED: ReadonlyMap<
  string,
  'capture_declined' | 'refund_declined' | 'cancel_declined' | typeof UNLISTED_REFUSAL
> = new Map([
  ['AUTHORISATION', UNLISTED_REFUSAL],
  ['CAPTURE', 'capture_declined'],
  ['REFUND', 'refund_declined'],
  ['CANCELLATION', 'cancel_declined'],
]);

/** `reason` of what was done holds digits of the card: it is not passed on. */
function doneOf({ item, money, reference }: Told, our_reference: string | null): News {
  if (money === undefined || reference === '') return NOT_UNDERSTOOD;
  const provider_code = textAt(item, 'eventCode');
  const said = { authorization_code: '', provider_code, provider_text: '' };
  return { kind: 'approved', reference, our_reference, ...money, captured: false, ...said };
}

function disputeOf(event: string, { item, money }: Told): Dispute | undefined {
  const told = DISPUTES.get(event);
  const at_ms = Date.parse(textAt(item, 'eventDate'));
  if (told === undefined || money === undefined || Number.isNaN(at_ms)) return undefined;
  const reason_code = textAt(item, 'additionalData', 'chargebackReasonCode').trim();
  const due_ms = Date.parse(textAt(item, 'additionalData', 'defensePeriodEndsAt'));
  const reference = textAt(item, 'pspReference');
  return {
    kind: 'dispute',
    ...told,
    ...money,
    reason: textAt(item, 'reason'),
    reason_code,
    at: new Date(at_ms).toISOString(),
    ...(reference !== '' && { reference }),
    ...(!Number.isNaN(due_ms) && { due_at: new Date(due_ms).toISOString() }),
  };
}
