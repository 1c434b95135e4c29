// Our results for Stripe's codes. Stripe's lists of codes are in no specification: a code that is not listed is the
// plain decline of its phase, and is stored as it came. The rows of the first two tables are for authorizations; a
// refused capture, refund or cancel has the code of its own phase.
import { phaseOf } from '../../core/results.ts';
import { type CodeRow, PLAIN_DECLINES, type Refusable, row, rowAt } from '../code-rows.ts';

type Rows = Readonly<Record<string, CodeRow>>;

/** `decline_code` of an error: https://docs.stripe.com/declines/codes */
export const DECLINES: Rows = {
  approve_with_id: row('issuer_declined', 'later'),
  authentication_required: row('issuer_soft_decline', 'with_3ds'),
  authentication_not_handled: row('authentication_incorrect', 'with_3ds'),
  call_issuer: row('issuer_declined', 'later'),
  card_not_supported: row('operation_not_allowed', 'never'),
  card_velocity_exceeded: row('limit_reached', 'later'),
  currency_not_supported: row('issuer_currency_unsupported', 'never'),
  do_not_honor: row('issuer_declined', 'later'),
  do_not_try_again: row('authorization_declined_final', 'never'),
  duplicate_transaction: row('authorization_declined', 'never'),
  expired_card: row('card_expired', 'fix_input'),
  fraudulent: row('issuer_risk_refused_final', 'never'),
  generic_decline: row('issuer_declined', 'later'),
  incorrect_address: row('card_data_invalid', 'fix_input'),
  incorrect_number: row('card_number_invalid', 'fix_input'),
  incorrect_cvc: row('card_data_invalid', 'fix_input'),
  incorrect_pin: row('card_data_invalid', 'fix_input'),
  incorrect_zip: row('card_data_invalid', 'fix_input'),
  insufficient_funds: row('funds_insufficient', 'later'),
  invalid_account: row('account_invalid', 'never'),
  invalid_amount: row('acquirer_amount_invalid', 'fix_input'),
  invalid_cvc: row('card_data_invalid', 'fix_input'),
  invalid_expiry_month: row('card_data_invalid', 'fix_input'),
  invalid_expiry_year: row('card_data_invalid', 'fix_input'),
  invalid_number: row('card_number_invalid', 'fix_input'),
  invalid_pin: row('card_data_invalid', 'fix_input'),
  issuer_not_available: row('issuer_unreachable', 'another_route'),
  lost_card: row('card_lost', 'never'),
  merchant_blacklist: row('risk_refused_at_authorization', 'never'),
  mobile_device_authentication_required: row('issuer_soft_decline', 'with_3ds'),
  new_account_information_available: row('card_replaced', 'fix_input'),
  no_action_taken: row('issuer_declined', 'later'),
  not_permitted: row('operation_not_allowed', 'never'),
  offline_pin_required: row('operation_not_allowed', 'never'),
  online_or_offline_pin_required: row('operation_not_allowed', 'never'),
  pickup_card: row('card_restricted', 'never'),
  pin_try_exceeded: row('bad_tries_exceeded', 'never'),
  processing_error: row('authorization_declined', 'another_route'),
  reenter_transaction: row('authorization_declined', 'another_route'),
  restricted_card: row('card_restricted', 'never'),
  revocation_of_all_authorizations: row('authorization_declined_final', 'never'),
  revocation_of_authorization: row('authorization_declined_final', 'never'),
  security_violation: row('issuer_risk_refused_final', 'never'),
  service_not_allowed: row('operation_not_allowed', 'never'),
  stolen_card: row('card_stolen', 'never'),
  stop_payment_order: row('authorization_declined_final', 'never'),
  testmode_decline: row('issuer_declined', 'never'),
  transaction_not_allowed: row('operation_not_allowed', 'never'),
  try_again_later: row('authorization_declined', 'later'),
  withdrawal_count_limit_exceeded: row('limit_reached', 'later'),
};

/** `code` of an error: https://docs.stripe.com/error-codes. Not here: idempotency_key_in_use, which proves nothing. */
export const ERRORS: Rows = {
  card_declined: row('issuer_declined', 'later'),
  expired_card: row('card_expired', 'fix_input'),
  incorrect_cvc: row('card_data_invalid', 'fix_input'),
  incorrect_number: row('card_number_invalid', 'fix_input'),
  invalid_number: row('card_number_invalid', 'fix_input'),
  invalid_cvc: row('card_data_invalid', 'fix_input'),
  invalid_expiry_month: row('card_data_invalid', 'fix_input'),
  invalid_expiry_year: row('card_data_invalid', 'fix_input'),
  processing_error: row('authorization_declined', 'another_route'),
  payment_intent_authentication_failure: row('authentication_incorrect', 'with_3ds'),
  setup_intent_authentication_failure: row('authentication_incorrect', 'with_3ds'),
  amount_too_large: row('acquirer_amount_invalid', 'fix_input'),
  amount_too_small: row('acquirer_amount_invalid', 'fix_input'),
  currency_not_supported: row('currency_unsupported', 'another_route'),
  payment_method_unsupported_type: row('payment_method_unsupported', 'another_route'),
  charge_already_captured: row('provider_capture_already_done', 'never'),
  charge_already_refunded: row('provider_refund_already_done', 'never'),
  charge_disputed: row('refund_declined', 'never'),
  charge_expired_for_capture: row('capture_after_lapse', 'never'),
  capture_charge_authorization_expired: row('capture_after_lapse', 'never'),
  capture_unauthorized_payment: row('capture_declined', 'never'),
  charge_exceeds_source_limit: row('limit_reached', 'later'),
  insufficient_funds: row('funds_insufficient', 'later'),
  authentication_required: row('issuer_soft_decline', 'with_3ds'),
  payment_intent_unexpected_state: row('integration_error', 'never'),
  payment_intent_incompatible_payment_method: row('payment_method_unsupported', 'another_route'),
  lock_timeout: row('provider_unreachable', 'later'),
  rate_limit: row('provider_unreachable', 'later'),
  api_key_expired: row('provider_credentials_invalid', 'never'),
  secret_key_required: row('provider_credentials_invalid', 'never'),
  account_invalid: row('merchant_misconfigured', 'never'),
  resource_missing: row('integration_error', 'never'),
  parameter_invalid_integer: row('integration_error', 'never'),
  parameter_missing: row('integration_error', 'never'),
  parameter_unknown: row('integration_error', 'never'),
};

/**
 * `code` of an error about a capture or a refund, or its `param` where it has none, where the tables above mean an
 * authorization or say less.
 */
const FOLLOW_UPS: Readonly<Record<'capture' | 'refund', Rows>> = {
  capture: {
    amount_too_large: row('provider_capture_above_authorization', 'never'),
    amount_too_small: row('provider_capture_amount_invalid', 'never'),
  },
  refund: {
    amount_too_large: row('provider_refund_above_captured', 'never'),
    amount_too_small: row('provider_refund_amount_invalid', 'never'),
    // without a code: more than is left
    amount: row('provider_refund_above_captured', 'never'),
  },
};

/** The row for the codes of an authorization; undefined: no row names them. */
export function rowOfAuthorization(code: string, decline_code: string): CodeRow | undefined {
  const found = rowAt(DECLINES, decline_code) ?? rowAt(ERRORS, code);
  // that the payer failed to authenticate is only said of an authentication that took place
  const took_place = code.endsWith('intent_authentication_failure');
  return found && phaseOf(found.result) === 'authentication' && !took_place
    ? { result: PLAIN_DECLINES.authorize }
    : found;
}

export function rowOfFollowUp(kind: Exclude<Refusable, 'authorize'>, code: string): CodeRow {
  const found =
    (kind === 'capture' || kind === 'refund' ? rowAt(FOLLOW_UPS[kind], code) : undefined) ?? rowAt(ERRORS, code);
  return found && phaseOf(found.result) === phaseOf(PLAIN_DECLINES[kind]) ? found : { result: PLAIN_DECLINES[kind] };
}
