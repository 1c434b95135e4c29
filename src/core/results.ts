// Every result code of the contract (section 3), once: name, code, phase, kind, may another provider be tried, who
// decided, HTTP statuses of a direct answer (the usual first; none: never the result of an answer), text. A test
// compares this table with the customer's own, row by row.

// prettier-ignore
const TABLE = {
  checkout_created: ['011111', 'checkout', 'none', 'no', 'none', [200], 'checkout created successfully'],
  session_not_created: ['100301', 'order', 'none', 'no', 'none', [], 'the session could not be created'],
  parameter_missing: ['111011', 'order', 'technical', 'no', 'undetermined', [400], 'a required parameter is missing'],
  parameter_invalid: ['111012', 'order', 'technical', 'no', 'undetermined', [400, 404, 413, 415, 422], 'a parameter is not valid'],
  internal_error: ['111013', 'order', 'technical', 'no', 'undetermined', [500, 429, 503], 'the request could not be served'],
  api_key_invalid: ['111022', 'order', 'technical', 'no', 'undetermined', [401, 403], 'the api key is missing or not valid'],
  api_key_rights_missing: ['111023', 'order', 'technical', 'no', 'undetermined', [403], 'the api key does not allow this request'],
  attempts_used_up: ['111034', 'order', 'technical', 'no', 'undetermined', [409], 'no attempts left'],
  order_in_process: ['111035', 'order', 'technical', 'no', 'undetermined', [409], 'the order is already being processed'],
  risk_listed: ['131010', 'order', 'risk', 'no', 'undetermined', [200], 'refused by a block list'],
  risk_tool_blocked: ['131011', 'order', 'risk', 'no', 'undetermined', [200], 'refused by an outside risk tool'],
  risk_data_mismatch: ['131020', 'order', 'risk', 'no', 'undetermined', [200], 'refused because the data do not match'],
  risk_outside_check: ['131030', 'order', 'risk', 'no', 'undetermined', [200], 'refused by an outside check such as address or device'],
  risk_country_refused: ['131040', 'order', 'risk', 'no', 'undetermined', [200], 'refused because of the country'],
  risk_velocity: ['131050', 'order', 'risk', 'no', 'undetermined', [200], 'refused by a frequency rule'],
  risk_velocity_card: ['131051', 'order', 'risk', 'no', 'undetermined', [200], 'the card is used too often'],
  risk_velocity_email: ['131052', 'order', 'risk', 'no', 'undetermined', [200], 'the e-mail address is used too often'],
  risk_velocity_ip: ['131053', 'order', 'risk', 'no', 'undetermined', [200], 'the ip address is used too often'],
  risk_velocity_verified_info: ['131054', 'order', 'risk', 'no', 'undetermined', [200], 'verified customer information is used too often'],
  risk_velocity_bin: ['131055', 'order', 'risk', 'no', 'undetermined', [200], 'cards of this issuer range are used too often'],
  risk_velocity_billing_address: ['131056', 'order', 'risk', 'no', 'undetermined', [200], 'the billing address is used too often'],
  risk_velocity_shipping_address: ['131057', 'order', 'risk', 'no', 'undetermined', [200], 'the shipping address is used too often'],
  risk_velocity_cardholder_name: ['131058', 'order', 'risk', 'no', 'undetermined', [200], 'the cardholder name is used too often'],
  risk_velocity_custom_data: ['131059', 'order', 'risk', 'no', 'undetermined', [200], 'a custom value is used too often'],
  risk_refused: ['131088', 'order', 'risk', 'no', 'undetermined', [200], 'refused by the risk assessment'],
  risk_accepted: ['133333', 'order', 'risk', 'no', 'none', [], 'accepted by the risk assessment'],
  provider_credentials_invalid: ['151021', 'order', 'routing', 'no', 'undetermined', [200], 'the provider does not accept the credentials'],
  provider_rights_missing: ['151023', 'order', 'routing', 'no', 'undetermined', [200], 'the provider credentials do not allow this request'],
  no_route_payment_method: ['151040', 'order', 'routing', 'no', 'undetermined', [200], 'no provider for this payment method'],
  no_route_currency: ['151041', 'order', 'routing', 'no', 'undetermined', [200], 'no provider for this currency'],
  no_route_channel: ['151042', 'order', 'routing', 'no', 'undetermined', [200], 'no provider for this payment channel'],
  no_route_partner: ['151043', 'order', 'routing', 'no', 'undetermined', [400, 200], 'no such provider contract'],
  payer_left_order: ['161000', 'order', 'payer_left', 'no', 'undetermined', [200], 'the payer left before an order was placed'],
  provider_tokenization_failed: ['221420', 'tokenization', 'processing', 'no', 'psp', [200], 'the provider could not tokenize the card'],
  account_invalid: ['240020', 'tokenization', 'account', 'yes', 'undetermined', [200], 'the account is not valid'],
  card_number_invalid: ['240021', 'tokenization', 'account', 'yes', 'undetermined', [400, 200], 'the card number is not valid'],
  card_expired_at_tokenization: ['240022', 'tokenization', 'account', 'yes', 'undetermined', [400, 200], 'the card has expired'],
  token_unusable: ['241021', 'tokenization', 'account', 'no', 'undetermined', [400], 'the token is unknown, used or expired'],
  card_data_invalid: ['241031', 'tokenization', 'account', 'no', 'undetermined', [400, 200], 'the card data are not valid'],
  payer_left_tokenization: ['261000', 'tokenization', 'payer_left', 'no', 'undetermined', [200], 'the payer left while entering the card'],
  authentication_declined: ['310070', 'authentication', 'technical', 'yes', 'undetermined', [200], 'authentication declined'],
  authentication_timed_out: ['320001', 'authentication', 'processing', 'yes', 'undetermined', [200], 'authentication timed out'],
  authentication_failed: ['320088', 'authentication', 'processing', 'yes', 'undetermined', [200], 'authentication failed'],
  card_not_enrolled: ['320120', 'authentication', 'processing', 'yes', 'issuer', [200], 'the card is not enrolled for authentication'],
  acs_unreachable: ['320310', 'authentication', 'processing', 'yes', 'acs', [200], 'the access control server is unreachable'],
  authentication_incorrect: ['341000', 'authentication', 'account', 'no', 'undetermined', [200], 'the payer did not authenticate correctly'],
  payer_left_authentication: ['361000', 'authentication', 'payer_left', 'no', 'undetermined', [200], 'the payer left during authentication'],
  route_unknown: ['404000', 'none', 'technical', 'no', 'none', [404, 405], 'the route does not exist'],
  integration_error: ['410070', 'authorization', 'technical', 'yes', 'undetermined', [200], 'the provider did not accept the request as built'],
  risk_refused_at_authorization: ['420030', 'authorization', 'processing', 'yes', 'undetermined', [200], 'refused for risk'],
  currency_unsupported: ['420040', 'authorization', 'processing', 'yes', 'undetermined', [200], 'currency not supported'],
  payment_method_unsupported: ['420041', 'authorization', 'processing', 'yes', 'undetermined', [200], 'payment method not supported'],
  authentication_required: ['420050', 'authorization', 'processing', 'yes', 'undetermined', [200], 'authentication required'],
  authorization_declined: ['420088', 'authorization', 'processing', 'yes', 'undetermined', [200], 'declined'],
  funds_insufficient: ['420100', 'authorization', 'processing', 'yes', 'issuer', [200], 'not enough funds'],
  issuer_unreachable: ['420110', 'authorization', 'processing', 'yes', 'issuer', [200], 'the issuer is unreachable'],
  bad_tries_exceeded: ['420111', 'authorization', 'processing', 'yes', 'issuer', [200], 'too many failed tries on the card'],
  issuer_risk_refused: ['420130', 'authorization', 'processing', 'yes', 'issuer', [200], 'refused by the issuer for risk'],
  issuer_soft_decline: ['420150', 'authorization', 'processing', 'yes', 'issuer', [200], 'the issuer asks for authentication'],
  issuer_declined: ['420188', 'authorization', 'processing', 'yes', 'issuer', [200], 'declined by the issuer'],
  acquirer_unreachable: ['420210', 'authorization', 'processing', 'yes', 'acquirer', [200], 'the acquirer is unreachable'],
  acquirer_risk_refused: ['420230', 'authorization', 'processing', 'yes', 'acquirer', [200], 'refused by the acquirer for risk'],
  merchant_id_misconfigured: ['420240', 'authorization', 'processing', 'yes', 'acquirer', [200], 'the merchant id is set up wrongly'],
  acquirer_currency_unsupported: ['420241', 'authorization', 'processing', 'yes', 'acquirer', [200], 'currency not supported by the acquirer'],
  acquirer_payment_method_unsupported: ['420242', 'authorization', 'processing', 'yes', 'acquirer', [200], 'payment method not supported by the acquirer'],
  merchant_misconfigured: ['420248', 'authorization', 'processing', 'yes', 'acquirer', [200], 'the merchant is set up wrongly at the acquirer'],
  acquirer_authentication_required: ['420250', 'authorization', 'processing', 'yes', 'acquirer', [200], 'the acquirer asks for authentication'],
  acquirer_amount_invalid: ['420260', 'authorization', 'processing', 'yes', 'acquirer', [200], 'the acquirer does not accept the amount'],
  acquirer_declined: ['420288', 'authorization', 'processing', 'yes', 'acquirer', [200], 'declined by the acquirer'],
  provider_unreachable: ['420410', 'authorization', 'processing', 'yes', 'psp', [200], 'the provider is unreachable'],
  authorization_pending: ['421080', 'authorization', 'processing', 'no', 'undetermined', [200], 'pending authorization'],
  authorization_declined_final: ['421081', 'authorization', 'processing', 'no', 'undetermined', [200], 'declined, do not try again'],
  limit_reached: ['421101', 'authorization', 'processing', 'no', 'issuer', [200], 'a limit of the card is reached'],
  issuer_unreachable_final: ['421110', 'authorization', 'processing', 'no', 'issuer', [200], 'the issuer is unreachable, do not try again'],
  issuer_currency_unsupported: ['421120', 'authorization', 'processing', 'no', 'issuer', [200], 'currency not supported by the issuer'],
  card_expired: ['421125', 'authorization', 'processing', 'no', 'issuer', [200], 'the issuer says the card has expired'],
  card_restricted: ['421126', 'authorization', 'processing', 'no', 'issuer', [200], 'the card is restricted'],
  operation_not_allowed: ['421127', 'authorization', 'processing', 'no', 'issuer', [200], 'the card does not allow this operation'],
  issuer_risk_refused_final: ['421130', 'authorization', 'processing', 'no', 'issuer', [200], 'refused by the issuer for risk, do not try again'],
  card_stolen: ['421131', 'authorization', 'processing', 'no', 'issuer', [200], 'the card is reported stolen'],
  card_lost: ['421132', 'authorization', 'processing', 'no', 'issuer', [200], 'the card is reported lost'],
  card_replaced: ['440120', 'authorization', 'account', 'yes', 'issuer', [200], 'the card is not valid, a newer card exists'],
  card_invalid: ['441120', 'authorization', 'account', 'no', 'issuer', [200], 'the card is not valid'],
  capture_already_done: ['511030', 'capture', 'technical', 'no', 'undetermined', [409], 'the authorization is already captured'],
  capture_above_authorization: ['511031', 'capture', 'technical', 'no', 'undetermined', [422], 'the capture is above the authorization'],
  capture_duplicated: ['511032', 'capture', 'technical', 'no', 'undetermined', [409], 'the same capture is already requested'],
  captures_too_many: ['511033', 'capture', 'technical', 'no', 'undetermined', [409], 'too many captures'],
  capture_after_lapse: ['520120', 'capture', 'processing', 'yes', 'issuer', [409, 422], 'the authorization has lapsed'],
  capture_unavailable: ['520220', 'capture', 'processing', 'yes', 'acquirer', [409, 422], 'the order cannot be captured'],
  capture_pending: ['521080', 'capture', 'processing', 'no', 'undetermined', [200], 'pending capture'],
  capture_declined: ['521088', 'capture', 'processing', 'no', 'undetermined', [422, 200], 'capture declined'],
  capture_order_cancelled: ['521100', 'capture', 'processing', 'no', 'issuer', [409], 'the order was cancelled by the payer'],
  issuer_capture_declined: ['521188', 'capture', 'processing', 'no', 'issuer', [422, 200], 'capture declined by the issuer'],
  provider_capture_amount_invalid: ['521260', 'capture', 'processing', 'no', 'acquirer', [422], 'the provider does not accept the capture amount'],
  provider_capture_above_authorization: ['521270', 'capture', 'processing', 'no', 'acquirer', [422], 'the provider says the capture is above the authorization'],
  provider_capture_already_done: ['521271', 'capture', 'processing', 'no', 'acquirer', [422], 'the provider says the authorization is already captured'],
  provider_capture_duplicated: ['521272', 'capture', 'processing', 'no', 'acquirer', [422], 'the provider says the capture is a duplicate'],
  provider_captures_too_many: ['521273', 'capture', 'processing', 'no', 'acquirer', [422], 'the provider allows no further capture'],
  acquirer_capture_declined: ['521288', 'capture', 'processing', 'no', 'acquirer', [422, 200], 'capture declined by the acquirer'],
  refund_above_captured: ['611030', 'refund', 'technical', 'no', 'undetermined', [422], 'the refund is above the captured amount'],
  refund_already_done: ['611031', 'refund', 'technical', 'no', 'undetermined', [409], 'the capture is already refunded'],
  refund_duplicated: ['611032', 'refund', 'technical', 'no', 'undetermined', [409], 'the same refund is already requested'],
  refunds_too_many: ['611033', 'refund', 'technical', 'no', 'undetermined', [409], 'too many refunds'],
  refund_unavailable: ['620210', 'refund', 'processing', 'yes', 'acquirer', [409, 422], 'the order cannot be refunded'],
  refund_pending: ['621080', 'refund', 'processing', 'no', 'undetermined', [200], 'pending refund'],
  refund_declined: ['621088', 'refund', 'processing', 'no', 'undetermined', [422], 'refund declined'],
  refund_period_over: ['621120', 'refund', 'processing', 'no', 'issuer', [422], 'the refund period is over'],
  provider_refund_amount_invalid: ['621260', 'refund', 'processing', 'no', 'acquirer', [422], 'the provider does not accept the refund amount'],
  provider_refund_above_captured: ['621261', 'refund', 'processing', 'no', 'acquirer', [422], 'the provider says the refund is above the captured amount'],
  provider_refund_already_done: ['621270', 'refund', 'processing', 'no', 'acquirer', [422], 'the provider says the capture is already refunded'],
  provider_refund_duplicated: ['621271', 'refund', 'processing', 'no', 'acquirer', [422], 'the provider says the refund is a duplicate'],
  provider_refunds_too_many: ['621272', 'refund', 'processing', 'no', 'acquirer', [422], 'the provider allows no further refund'],
  acquirer_refund_declined: ['621288', 'refund', 'processing', 'no', 'acquirer', [422], 'refund declined by the acquirer'],
  cancel_after_lapse: ['711030', 'cancel', 'technical', 'no', 'undetermined', [409], 'the authorization has already lapsed'],
  cancel_after_capture: ['711031', 'cancel', 'technical', 'no', 'undetermined', [409], 'the authorization is already captured'],
  cancel_already_done: ['711032', 'cancel', 'technical', 'no', 'undetermined', [409], 'the authorization is already cancelled'],
  cancel_duplicated: ['711033', 'cancel', 'technical', 'no', 'undetermined', [409], 'the same cancellation is already requested'],
  cancel_unavailable: ['720010', 'cancel', 'processing', 'yes', 'undetermined', [409, 422], 'the authorization cannot be cancelled'],
  cancel_pending: ['721080', 'cancel', 'processing', 'no', 'undetermined', [200], 'pending cancellation'],
  cancel_declined: ['721088', 'cancel', 'processing', 'no', 'undetermined', [422], 'cancellation declined'],
  issuer_cancel_after_lapse: ['721170', 'cancel', 'processing', 'no', 'issuer', [422], 'the issuer says the authorization has lapsed'],
  issuer_cancel_after_capture: ['721171', 'cancel', 'processing', 'no', 'issuer', [422], 'the issuer says the authorization is captured'],
  issuer_cancel_already_done: ['721172', 'cancel', 'processing', 'no', 'issuer', [422], 'the issuer says the authorization is cancelled'],
  issuer_cancel_declined: ['721188', 'cancel', 'processing', 'no', 'issuer', [422], 'cancellation declined by the issuer'],
  acquirer_cancel_declined: ['721288', 'cancel', 'processing', 'no', 'acquirer', [422], 'cancellation declined by the acquirer'],
  session_created: ['900000', 'success', 'none', 'no', 'none', [], 'session created'],
  request_completed: ['911111', 'success', 'none', 'no', 'none', [200], 'request completed'],
  tokenization_successful_listed: ['922222', 'success', 'none', 'no', 'none', [], 'tokenization successful'],
  authorization_successful: ['944444', 'success', 'none', 'no', 'none', [200], 'authorization successful'],
  capture_successful: ['955555', 'success', 'none', 'no', 'none', [200], 'capture successful'],
  refund_successful: ['966666', 'success', 'none', 'no', 'none', [200], 'refund successful'],
  cancel_successful: ['977777', 'success', 'none', 'no', 'none', [200], 'authorization cancelled'],
  settlement_successful: ['988888', 'success', 'none', 'no', 'none', [], 'settlement successful'],
  tokenization_successful: ['999999', 'success', 'none', 'no', 'none', [200], 'Tokenization successful'],
  customer_updated: ['9111111', 'success', 'none', 'no', 'none', [200], 'customer updated'],
  capture_successful_long: ['9555555', 'success', 'none', 'no', 'none', [], 'capture successful'],
} as const;

export type ResultName = keyof typeof TABLE;

/** The `result` member of every JSON answer. */
export type Result = { readonly code: string; readonly description: string };

export type ResultRow = Result & {
  readonly name: ResultName;
  readonly phase: string;
  readonly kind: string;
  readonly fallback_allowed: boolean;
  readonly side: string;
  readonly http: readonly number[];
};

export const RESULTS: readonly ResultRow[] = (Object.keys(TABLE) as ResultName[]).map((name) => {
  const [code, phase, kind, fallback, side, http, description] = TABLE[name];
  return { name, code, phase, kind, fallback_allowed: fallback === 'yes', side, http, description };
});

const BY_NAME = new Map(RESULTS.map((r) => [r.name, { code: r.code, description: r.description }]));
const BY_CODE = new Map(RESULTS.map((r) => [r.code, r]));

/** The wire form of a result: its code and the text of the table. */
export function result(name: ResultName): Result {
  return BY_NAME.get(name) ?? { code: '', description: '' };
}

/** The phase of the payment that a result belongs to. */
export const phaseOf = (name: ResultName): string => TABLE[name][1];

/** The row of a code, or undefined where no such code exists. */
export function findResult(code: string): ResultRow | undefined {
  return BY_CODE.get(code);
}
