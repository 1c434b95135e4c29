// The meaning of field 39 (ISO 8583:1987, and the schemes' codes for strong authentication). `read.ts` reads the rows
// that are no decline. A capture, refund or cancel that is refused without a reason of its own is the plain decline of
// its kind.
import type { ResultName } from '../../core/results.ts';
import type { Retry } from '../contract.ts';

export type CodeRow = {
  readonly result: ResultName;
  readonly retry: Retry | null;
  /** Approves less than was asked; the amount says how much. */
  readonly partial?: true;
  /** An earlier copy arrived: says nothing of what became of it. */
  readonly unknown?: true;
};

const row = (result: ResultName, retry: Retry | null = null): CodeRow => ({ result, retry });

const APPROVED = row('authorization_successful');

export const CODES: Readonly<Record<string, CodeRow>> = {
  '00': APPROVED,
  '08': APPROVED,
  '10': { ...APPROVED, partial: true },
  '11': APPROVED,
  '01': row('issuer_declined', 'later'),
  '02': row('issuer_declined', 'later'),
  '03': row('merchant_id_misconfigured', 'another_route'),
  '04': row('card_restricted', 'never'),
  '05': row('issuer_declined', 'later'),
  '06': row('acquirer_unreachable', 'another_route'),
  '07': row('issuer_risk_refused_final', 'never'),
  '09': row('authorization_pending'),
  '12': row('operation_not_allowed', 'never'),
  '13': row('acquirer_amount_invalid', 'fix_input'),
  '14': row('card_number_invalid', 'fix_input'),
  '15': row('card_number_invalid', 'fix_input'),
  '19': row('acquirer_unreachable', 'another_route'),
  '25': row('acquirer_unreachable', 'never'),
  '30': row('integration_error', 'never'),
  '31': row('acquirer_payment_method_unsupported', 'another_route'),
  '33': row('card_expired', 'never'),
  '34': row('issuer_risk_refused_final', 'never'),
  '36': row('card_restricted', 'never'),
  '38': row('bad_tries_exceeded', 'never'),
  '39': row('account_invalid', 'never'),
  '41': row('card_lost', 'never'),
  '43': row('card_stolen', 'never'),
  '51': row('funds_insufficient', 'later'),
  '54': row('card_expired', 'fix_input'),
  '55': row('card_data_invalid', 'fix_input'),
  '57': row('operation_not_allowed', 'never'),
  '58': row('merchant_misconfigured', 'another_route'),
  '59': row('issuer_risk_refused_final', 'never'),
  '61': row('limit_reached', 'later'),
  '62': row('card_restricted', 'never'),
  '63': row('issuer_risk_refused_final', 'never'),
  '65': row('limit_reached', 'later'),
  '68': row('issuer_unreachable', 'another_route'),
  '70': row('issuer_soft_decline', 'with_3ds'),
  '75': row('bad_tries_exceeded', 'never'),
  '78': row('card_restricted', 'never'),
  '82': row('card_data_invalid', 'fix_input'),
  '91': row('issuer_unreachable', 'another_route'),
  '92': row('acquirer_payment_method_unsupported', 'another_route'),
  '93': row('operation_not_allowed', 'never'),
  '94': { ...row('acquirer_declined', 'never'), unknown: true },
  '96': row('acquirer_unreachable', 'another_route'),
  '1A': row('issuer_soft_decline', 'with_3ds'),
  N7: row('card_data_invalid', 'fix_input'),
  R0: row('authorization_declined_final', 'never'),
  R1: row('authorization_declined_final', 'never'),
  R3: row('authorization_declined_final', 'never'),
};

/** The result of an authorization that is refused with a code that is not listed. */
export const PLAIN_DECLINE = row('authorization_declined');

/** The meaning of the same code from Mastercard: the issuer wants an authentication. */
export const WANTS_AUTHENTICATION = row('issuer_soft_decline', 'with_3ds');
export const COUNT_EXCEEDED = '65';

/**
 * Trouble on the way, or still in progress: of an operation that is repeated until it is answered, no answer. The end
 * is told by no later message.
 */
export const TROUBLE: ReadonlySet<string> = new Set(['06', '09', '19', '68', '91', '92', '94', '96']);

export const NO_ORIGINAL = '25';
/** Turned away before it was looked at: merchant or terminal is not known there. */
export const UNHEARD: ReadonlySet<string> = new Set(['03', '58']);

type FollowUp = 'capture' | 'refund' | 'cancel';

const ABOVE = '13';

export function followUpDecline(kind: FollowUp, code: string): ResultName {
  if (kind === 'capture') return code === ABOVE ? 'provider_capture_above_authorization' : 'capture_declined';
  if (kind === 'refund') return code === ABOVE ? 'provider_refund_above_captured' : 'refund_declined';
  return 'cancel_declined';
}
