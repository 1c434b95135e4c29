// The class of each result of a declined authorization: may it be tried elsewhere at once, later with the same card, or
// not at all? The strictest of four decides: this class, the provider's own row, the scheme's advice, and Visa's
// category (follow.ts).
import type { ResultName } from '../results.ts';

/**
 * The classes of declines, the least strict first. `other_route`: try another provider at once. `other_route_soft`: the
 * same, once, if the account wants it. `later`: try the same card and contract after a while, in payments without the
 * payer. `with_3ds`: try once more with authentication, if the payer is present. `fix_input`: the payer or the merchant
 * corrects the card. `payer`: the payer ended the payment. `none`: the result does not answer a payment. `stop`: Florin
 * does not try again.
 */
export const CLASSES = [
  'other_route',
  'other_route_soft',
  'later',
  'with_3ds',
  'fix_input',
  'payer',
  'none',
  'stop',
] as const;
export type RetryClass = (typeof CLASSES)[number];

/** The schedule of a later try, by the reason of the decline. */
export type ScheduleName = 'funds' | 'technical' | 'generic';

export type ClassRow = {
  readonly class: RetryClass;
  /** What Florin does not try again: the card in any payment, or this order. Null: nothing is stopped. */
  readonly stop_scope: 'card' | 'order' | null;
  readonly schedule: ScheduleName | null;
  /** Does the result count for the approval rate? No, if the payer caused it, or if no provider was asked. */
  readonly counts_for_approval: 'yes' | 'no';
  /** How the decline counts for the provider's health. */
  readonly counts_for_health: 'technical' | 'decline' | 'no';
};

const row = (
  name: RetryClass,
  stop_scope: ClassRow['stop_scope'],
  schedule: ScheduleName | null,
  ...[counts_for_approval, counts_for_health]: readonly [ClassRow['counts_for_approval'], ClassRow['counts_for_health']]
): ClassRow => ({ class: name, stop_scope, schedule, counts_for_approval, counts_for_health });

const ROWS: Readonly<Partial<Record<ResultName, ClassRow>>> = {
  provider_credentials_invalid: row('none', null, null, 'no', 'technical'),
  provider_rights_missing: row('none', null, null, 'no', 'technical'),
  provider_tokenization_failed: row('none', null, null, 'no', 'technical'),
  account_invalid: row('stop', 'card', null, 'no', 'no'),
  card_number_invalid: row('fix_input', 'card', null, 'no', 'no'),
  card_expired_at_tokenization: row('fix_input', null, null, 'no', 'no'),
  token_unusable: row('none', null, null, 'no', 'no'),
  card_data_invalid: row('fix_input', null, null, 'no', 'no'),
  payer_left_tokenization: row('none', null, null, 'no', 'no'),
  authentication_declined: row('payer', null, null, 'no', 'no'),
  authentication_timed_out: row('payer', null, null, 'no', 'no'),
  authentication_failed: row('payer', null, null, 'no', 'no'),
  card_not_enrolled: row('payer', null, null, 'no', 'no'),
  acs_unreachable: row('payer', null, null, 'no', 'no'),
  authentication_incorrect: row('payer', null, null, 'no', 'no'),
  payer_left_authentication: row('payer', null, null, 'no', 'no'),
  integration_error: row('none', null, null, 'no', 'technical'),
  risk_refused_at_authorization: row('stop', 'order', null, 'yes', 'decline'),
  currency_unsupported: row('other_route', null, null, 'no', 'no'),
  payment_method_unsupported: row('other_route', null, null, 'no', 'no'),
  authentication_required: row('with_3ds', null, null, 'yes', 'no'),
  authorization_declined: row('other_route_soft', null, 'generic', 'yes', 'decline'),
  funds_insufficient: row('later', null, 'funds', 'no', 'no'),
  issuer_unreachable: row('other_route_soft', null, 'technical', 'yes', 'technical'),
  bad_tries_exceeded: row('stop', 'order', null, 'no', 'no'),
  issuer_risk_refused: row('stop', 'order', null, 'yes', 'decline'),
  issuer_soft_decline: row('with_3ds', null, null, 'yes', 'no'),
  issuer_declined: row('other_route_soft', null, 'generic', 'yes', 'decline'),
  acquirer_unreachable: row('other_route', null, 'technical', 'yes', 'technical'),
  acquirer_risk_refused: row('other_route', null, null, 'yes', 'decline'),
  merchant_id_misconfigured: row('other_route', null, null, 'yes', 'technical'),
  acquirer_currency_unsupported: row('other_route', null, null, 'no', 'no'),
  acquirer_payment_method_unsupported: row('other_route', null, null, 'no', 'no'),
  merchant_misconfigured: row('other_route', null, null, 'yes', 'technical'),
  acquirer_authentication_required: row('with_3ds', null, null, 'yes', 'no'),
  acquirer_amount_invalid: row('other_route', null, null, 'no', 'no'),
  acquirer_declined: row('other_route', null, 'generic', 'yes', 'decline'),
  provider_unreachable: row('other_route', null, 'technical', 'yes', 'technical'),
  authorization_pending: row('none', null, null, 'no', 'no'),
  authorization_declined_final: row('stop', 'card', null, 'yes', 'decline'),
  limit_reached: row('later', null, 'funds', 'no', 'no'),
  issuer_unreachable_final: row('later', null, 'technical', 'yes', 'technical'),
  issuer_currency_unsupported: row('stop', 'order', null, 'no', 'no'),
  card_expired: row('fix_input', null, null, 'no', 'no'),
  card_restricted: row('stop', 'card', null, 'yes', 'decline'),
  operation_not_allowed: row('stop', 'card', null, 'yes', 'decline'),
  issuer_risk_refused_final: row('stop', 'card', null, 'yes', 'decline'),
  card_stolen: row('stop', 'card', null, 'no', 'no'),
  card_lost: row('stop', 'card', null, 'no', 'no'),
  card_replaced: row('fix_input', null, null, 'no', 'no'),
  card_invalid: row('stop', 'card', null, 'no', 'no'),
};

const NONE = row('none', null, null, 'no', 'no');

/** The class of a result. If the result ends no authorization, nothing follows. */
export function classOf(result: ResultName): ClassRow {
  return ROWS[result] ?? NONE;
}

/** All that have a row of their own. */
export const CLASSED: readonly (readonly [string, ClassRow])[] = Object.entries(ROWS);
