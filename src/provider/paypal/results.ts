// Our results for PayPal's codes. PayPal's meanings of codes are in no specification: a code that is not listed is the
// plain decline of its phase, and is stored as it came. Each row is for one phase; for another kind of operation it is
// a plain decline.
import { type ResultName, phaseOf } from '../../core/results.ts';
import { forbidsRetry } from '../../core/retries/advice.ts';
import { type CodeRow, PLAIN_DECLINES, type Refusable, row, rowAt } from '../code-rows.ts';

export type Row = CodeRow & {
  /** Says nothing of what became of the operation. */
  readonly unknown?: true;
  /** Approves less than was asked. */
  readonly partial?: true;
};
type Rows = Readonly<Record<string, Row>>;

/** `issue` of an error: https://developer.paypal.com/api/rest/reference/orders/v2/errors/ */
export const ISSUES: Rows = {
  CARD_EXPIRED: row('card_expired_at_tokenization', 'fix_input'),
  CARD_BRAND_NOT_SUPPORTED: row('acquirer_payment_method_unsupported', 'another_route'),
  CARD_TYPE_NOT_SUPPORTED: row('acquirer_payment_method_unsupported', 'another_route'),
  CURRENCY_NOT_SUPPORTED_FOR_CARD_TYPE: row('acquirer_currency_unsupported', 'another_route'),
  INVALID_CURRENCY_CODE: row('currency_unsupported', 'another_route'),
  INVALID_EXPIRY_DATE: row('card_data_invalid', 'fix_input'),
  INVALID_SECURITY_CODE_LENGTH: row('card_data_invalid', 'fix_input'),
  INSTRUMENT_DECLINED: row('issuer_declined', 'later'),
  PAYMENT_SOURCE_DECLINED_BY_PROCESSOR: row('acquirer_declined', 'later'),
  TRANSACTION_REFUSED: row('authorization_declined', 'later'),
  TRANSACTION_LIMIT_EXCEEDED: row('limit_reached', 'later'),
  PAYER_ACTION_REQUIRED: row('authorization_pending'),
  PAYER_CANNOT_PAY: row('risk_refused_at_authorization', 'never'),
  COMPLIANCE_VIOLATION: row('risk_refused_at_authorization', 'never'),
  NOT_ENABLED_FOR_CARD_PROCESSING: row('merchant_misconfigured', 'another_route'),
  PAYEE_ACCOUNT_RESTRICTED: row('merchant_misconfigured', 'another_route'),
  PERMISSION_DENIED: row('provider_rights_missing', 'never'),
  ORDER_ALREADY_AUTHORIZED: { ...row('authorization_pending'), unknown: true },
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: row('authorization_declined_final', 'never'),
  DUPLICATE_INVOICE_ID: row('provider_capture_duplicated', 'never'),
  AUTHORIZATION_ALREADY_CAPTURED: row('provider_capture_already_done', 'never'),
  AUTHORIZATION_EXPIRED: row('capture_after_lapse', 'never'),
  AUTHORIZATION_DENIED: row('capture_declined', 'never'),
  AUTHORIZATION_VOIDED: row('capture_declined', 'never'),
  AUTH_CAPTURE_CURRENCY_MISMATCH: row('provider_capture_amount_invalid', 'fix_input'),
  MAX_CAPTURE_AMOUNT_EXCEEDED: row('provider_capture_above_authorization', 'fix_input'),
  MAX_CAPTURE_COUNT_EXCEEDED: row('provider_captures_too_many', 'never'),
  CAPTURE_FULLY_REFUNDED: row('provider_refund_already_done', 'never'),
  REFUND_AMOUNT_EXCEEDED: row('provider_refund_above_captured', 'fix_input'),
  REFUND_AMOUNT_TOO_LOW: row('provider_refund_amount_invalid', 'fix_input'),
  REFUND_CAPTURE_CURRENCY_MISMATCH: row('provider_refund_amount_invalid', 'fix_input'),
  MAX_NUMBER_OF_REFUNDS_EXCEEDED: row('provider_refunds_too_many', 'never'),
  REFUND_TIME_LIMIT_EXCEEDED: row('refund_period_over', 'never'),
  REFUND_NOT_ALLOWED: row('refund_declined', 'never'),
  REFUND_FAILED_INSUFFICIENT_FUNDS: row('refund_declined', 'later'),
  PENDING_CAPTURE: row('refund_unavailable', 'later'),
  TRANSACTION_DISPUTED: row('refund_declined', 'never'),
  PREVIOUSLY_CAPTURED: row('issuer_cancel_after_capture', 'never'),
  PREVIOUSLY_VOIDED: row('issuer_cancel_already_done', 'never'),
  CANNOT_BE_VOIDED: row('cancel_declined', 'never'),
  PREVIOUS_REQUEST_IN_PROGRESS: { ...row('authorization_pending'), unknown: true },
};

/** `processor_response.response_code` of an authorization or a sale. */
export const RESPONSES: Rows = {
  '0000': row('authorization_successful'),
  '00N7': row('card_data_invalid', 'fix_input'),
  '0100': row('issuer_declined', 'later'),
  '0390': row('account_invalid', 'never'),
  '0500': row('issuer_declined', 'later'),
  '0580': row('operation_not_allowed', 'never'),
  '0800': row('acquirer_unreachable', 'another_route'),
  '0880': row('authentication_incorrect', 'with_3ds'),
  '0890': row('card_data_invalid', 'fix_input'),
  '0960': row('acquirer_unreachable', 'another_route'),
  '0R00': row('authorization_declined', 'never'),
  '1000': { ...row('authorization_successful'), partial: true },
  '10BR': row('issuer_declined', 'never'),
  '1300': row('integration_error', 'never'),
  '1310': row('acquirer_amount_invalid', 'fix_input'),
  '1312': row('acquirer_declined', 'never'),
  '1320': row('issuer_currency_unsupported', 'never'),
  '1330': row('account_invalid', 'never'),
  '1335': row('account_invalid', 'never'),
  '1340': row('merchant_id_misconfigured', 'another_route'),
  '1350': row('merchant_id_misconfigured', 'another_route'),
  '1352': row('card_restricted', 'never'),
  '1370': row('merchant_misconfigured', 'another_route'),
  '1380': row('card_data_invalid', 'fix_input'),
  '1382': row('card_data_invalid', 'fix_input'),
  '1384': row('authorization_declined_final', 'never'),
  '1390': row('integration_error', 'never'),
  '1393': row('authorization_declined', 'never'),
  '5100': row('issuer_declined', 'later'),
  '5110': row('card_data_invalid', 'fix_input'),
  '5120': row('funds_insufficient', 'later'),
  '5130': row('card_data_invalid', 'fix_input'),
  '5135': row('bad_tries_exceeded', 'never'),
  '5140': row('card_restricted', 'never'),
  '5150': row('card_restricted', 'never'),
  '5160': row('operation_not_allowed', 'never'),
  '5170': row('card_data_invalid', 'fix_input'),
  '5180': row('card_restricted', 'never'),
  '5190': row('card_data_invalid', 'fix_input'),
  '5200': row('authorization_declined', 'never'),
  '5210': row('operation_not_allowed', 'never'),
  '5400': row('card_expired', 'fix_input'),
  '5500': row('card_data_invalid', 'fix_input'),
  '5650': row('issuer_soft_decline', 'with_3ds'),
  '5700': row('operation_not_allowed', 'never'),
  '5710': row('limit_reached', 'later'),
  '5800': row('authorization_declined', 'later'),
  '5910': row('issuer_unreachable', 'another_route'),
  '5920': row('issuer_unreachable', 'later'),
  '5930': row('card_restricted', 'never'),
  '5950': row('card_replaced', 'fix_input'),
  '6300': row('account_invalid', 'never'),
  '7700': row('acs_unreachable', 'with_3ds'),
  '7710': row('authentication_incorrect', 'with_3ds'),
  '7800': row('acquirer_payment_method_unsupported', 'another_route'),
  '8000': row('acquirer_unreachable', 'another_route'),
  '9100': row('authorization_declined', 'later'),
  '9500': row('issuer_risk_refused_final', 'never'),
  '9510': row('issuer_risk_refused_final', 'never'),
  '9520': row('card_lost', 'never'),
  '9530': row('issuer_declined', 'never'),
  '9540': row('card_restricted', 'never'),
  '9600': row('authorization_declined', 'later'),
};

const FOLLOW_UPS = new Set((['capture', 'refund', 'cancel'] as const).map((kind) => phaseOf(PLAIN_DECLINES[kind])));

/** `authenticated`: the payer was at the bank in this attempt; only then can that have failed. */
export function rowOfIssue(kind: Refusable, issue: string): Row {
  return fitting(kind, rowAt(ISSUES, issue), false);
}

export function rowOfResponse({ code, advice, authenticated }: Response): Row {
  const found = fitting('authorize', rowAt(RESPONSES, code), authenticated);
  return forbidsRetry(advice) ? { ...found, retry: 'never' } : found;
}
export type Response = { readonly code: string; readonly advice: string; readonly authenticated: boolean };

function fitting(kind: Refusable, found: Row | undefined, authenticated: boolean): Row {
  const plain: Row = { result: PLAIN_DECLINES[kind] };
  // said of something that is refused, a word of success says nothing
  if (!found || UNFIT.has(found.result)) return found?.unknown ? found : plain;
  const phase = phaseOf(found.result);
  if (kind !== 'authorize') return phase === phaseOf(PLAIN_DECLINES[kind]) ? found : plain;
  if (FOLLOW_UPS.has(phase) || (phase === 'authentication' && !authenticated)) return plain;
  return found;
}

const UNFIT: ReadonlySet<ResultName> = new Set(['authorization_successful', 'authorization_pending']);
