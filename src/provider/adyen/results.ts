// The meaning of Adyen's codes, by result name. A test compares the first two tables, row by row, with the reference
// data.
import type { ResultName } from '../../core/results.ts';
import type { CodeRow } from '../code-rows.ts';

/** `refusalReasonCode` of an answer whose `resultCode` is Refused. */
export const REFUSALS: ReadonlyMap<string, CodeRow> = new Map<string, CodeRow>([
  ['2', { result: 'issuer_declined', retry: 'later' }],
  ['3', { result: 'issuer_declined', retry: 'later' }],
  ['4', { result: 'acquirer_declined', retry: 'another_route' }],
  ['5', { result: 'card_restricted', retry: 'never' }],
  ['6', { result: 'card_expired', retry: 'fix_input' }],
  ['7', { result: 'acquirer_amount_invalid', retry: 'fix_input' }],
  ['8', { result: 'card_number_invalid', retry: 'fix_input' }],
  ['9', { result: 'issuer_unreachable', retry: 'another_route' }],
  ['10', { result: 'acquirer_payment_method_unsupported', retry: 'another_route' }],
  ['11', { result: 'authentication_incorrect', retry: 'with_3ds' }],
  ['12', { result: 'funds_insufficient', retry: 'later' }],
  ['14', { result: 'acquirer_risk_refused', retry: 'never' }],
  ['15', { result: 'authorization_declined', retry: 'never' }],
  ['16', { result: 'payer_left_authentication', retry: 'never' }],
  ['17', { result: 'card_data_invalid', retry: 'fix_input' }],
  ['18', { result: 'bad_tries_exceeded', retry: 'never' }],
  ['19', { result: 'acquirer_declined', retry: 'another_route' }],
  ['20', { result: 'risk_refused_at_authorization', retry: 'never' }],
  ['21', { result: 'acquirer_declined', retry: 'another_route' }],
  ['22', { result: 'risk_refused_at_authorization', retry: 'never' }],
  ['23', { result: 'operation_not_allowed', retry: 'never' }],
  ['24', { result: 'card_data_invalid', retry: 'fix_input' }],
  ['25', { result: 'card_restricted', retry: 'never' }],
  ['26', { result: 'authorization_declined_final', retry: 'never' }],
  ['27', { result: 'authorization_declined_final', retry: 'never' }],
  ['28', { result: 'limit_reached', retry: 'later' }],
  ['29', { result: 'limit_reached', retry: 'later' }],
  ['31', { result: 'issuer_risk_refused_final', retry: 'never' }],
  ['32', { result: 'card_data_invalid', retry: 'fix_input' }],
  ['33', { result: 'operation_not_allowed', retry: 'never' }],
  ['34', { result: 'account_invalid', retry: 'never' }],
  ['35', { result: 'account_invalid', retry: 'never' }],
  ['36', { result: 'operation_not_allowed', retry: 'never' }],
  ['37', { result: 'operation_not_allowed', retry: 'never' }],
  ['38', { result: 'issuer_soft_decline', retry: 'with_3ds' }],
  ['39', { result: 'acs_unreachable', retry: 'with_3ds' }],
  ['40', { result: 'acquirer_unreachable', retry: 'another_route' }],
  ['41', { result: 'operation_not_allowed', retry: 'never' }],
  ['42', { result: 'authentication_incorrect', retry: 'with_3ds' }],
  ['43', { result: 'operation_not_allowed', retry: 'never' }],
  ['44', { result: 'operation_not_allowed', retry: 'never' }],
  ['45', { result: 'operation_not_allowed', retry: 'never' }],
  ['46', { result: 'authorization_declined_final', retry: 'never' }],
  ['50', { result: 'authorization_declined_final', retry: 'never' }],
]);

/** The result of a refusal code that is not in the table. */
export const UNLISTED_REFUSAL: ResultName = 'authorization_declined';

/**
 * The meaning of `resultCode`. `unknown`: the outcome is open, whatever the result is called. Success is no code of a
 * card payment; as an approval it would need an amount and a reference like any other.
 */
export const RESULT_CODES: ReadonlyMap<string, { readonly result: ResultName; readonly reads: Reads }> = new Map<
  string,
  { readonly result: ResultName; readonly reads: Reads }
>([
  ['Authorised', { result: 'authorization_successful', reads: 'approved' }],
  ['AuthenticationFinished', { result: 'authorization_pending', reads: 'pending' }],
  ['AuthenticationNotRequired', { result: 'authorization_pending', reads: 'pending' }],
  ['Cancelled', { result: 'payer_left_authentication', reads: 'left' }],
  ['ChallengeShopper', { result: 'authorization_pending', reads: 'pending' }],
  ['Error', { result: 'provider_unreachable', reads: 'unknown' }],
  ['IdentifyShopper', { result: 'authorization_pending', reads: 'pending' }],
  ['PartiallyAuthorised', { result: 'authorization_successful', reads: 'approved' }],
  ['Pending', { result: 'authorization_pending', reads: 'pending' }],
  ['PresentToShopper', { result: 'authorization_pending', reads: 'pending' }],
  ['Received', { result: 'authorization_pending', reads: 'pending' }],
  ['RedirectShopper', { result: 'authorization_pending', reads: 'payer_must_act' }],
  ['Refused', { result: 'issuer_declined', reads: 'refused' }],
  ['Success', { result: 'authorization_successful', reads: 'approved' }],
]);

export type Reads = 'approved' | 'refused' | 'left' | 'pending' | 'payer_must_act' | 'unknown';

/**
 * `errorCode` of a payment that was not looked at (docs.adyen.com/development-resources/error-codes). Those that are
 * not here are ours to fix.
 */
export const ERRORS: ReadonlyMap<string, CodeRow> = new Map<string, CodeRow>([
  ['101', { result: 'card_number_invalid', retry: 'fix_input' }],
  ['102', { result: 'card_number_invalid', retry: 'fix_input' }],
  ['103', { result: 'card_data_invalid', retry: 'fix_input' }],
  ['129', { result: 'card_data_invalid', retry: 'fix_input' }],
  ['138', { result: 'currency_unsupported', retry: 'another_route' }],
  ['140', { result: 'card_data_invalid', retry: 'fix_input' }],
  ['141', { result: 'card_data_invalid', retry: 'fix_input' }],
  ['153', { result: 'card_data_invalid', retry: 'fix_input' }],
  ['800', { result: 'account_invalid', retry: 'never' }],
  ['803', { result: 'account_invalid', retry: 'never' }],
]);

/** The code for a key that is in use, or that came with another body: the first call may have had its effect. */
export const KEY_IN_USE = '704';
