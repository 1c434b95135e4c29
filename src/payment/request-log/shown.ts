// The members of a request and its answer that may be shown: the values of the names below. Of all others only type and
// length are stored. A name that is not listed here counts as the name of a person, a card or a secret, until a
// developer has decided about it.

/** Ids that Florin makes. */
const IDS = `_id request_id instance merchant_account order_id checkout_id transaction_id capture_id refund_id subscription_id
  notification_id endpoint_id contract_id merchant_contract_id authentication_id`;
/** The merchant's own names for things. */
const REFERENCES = `order_merchant_id merchant_order_id operation_merchant_id merchant_contract merchant_store_id integration_id
  sdk_version hosted_fields_version`;
const MONEY = `amount currency order_amount order_currency order_tax_amount total_amount authorization_amount capturable_amount
  capture_amount capture_amount_request capture_amount_requested capture_total_amount captured_amount refund_amount_request
  refund_amount_requested refund_total_amount refundable_amount refunded_amount chargeback_amount remaining
  total_capture_amount_requested total_refund_amount_requested`;
/** Members with one of a few words, a number or a moment. */
const WORDS = `type operation_type payment_channel token_type token_kind authentication_indicator challenge_preference
  sca_exemption_reason refund_reason payment_method_name payment_method_type payment_method device_type locale max_attempts
  attempts_remaining status state event events kind operation fault times seconds delay_ms final even_if_disputed overlap_hours
  limit created_from created_to order_availability order_availability_date expiration_date sequence previous_sequence
  order_version order_status is_captured is_refunded is_cancelled is_in_doubt retry_class occurrence provider payin_partner`;
const ANSWERED = `code description title detail status errors field message authorization_date authorization_result
  authorization_request_date authorization_request_status authorization_status authentication_date authentication_result
  authentication_partner authentication_request_date authentication_request_status capture_date capture_result
  capture_request_date capture_request_status capture_status refund_date refund_result refund_request_date refund_request_status
  refund_status cancellation_date cancellation_result cancellation_request_date cancellation_request_status cancellation_status
  risk_assessment_date risk_assessment_result risk_assessment_reason risk_assessment_reason_code risk_assessment_partner
  request_date request_status request_result_date result_date result_status psp_result_code psp_result_description
  partner_result_code partner_result_description action_date date created_date createdAt updatedAt now next_due tries waiting
  delivered http_status duration_ms has_more replayed offset_seconds last_error last_http_status next_try_date nb_use
  component_type data_type subscription_count display_name`;

/** A name whose value is shown. */
type Known = {
  /** The name as JSON writes it, and what stands behind it. */
  readonly member: string;
  /** An id that is ours, and not something in the form of one. */
  readonly own_id: boolean;
};

export type Shown = {
  readonly names: ReadonlyMap<string, Known>;
  /** Members with nothing in them are left out: half of an order's answer. */
  readonly without_empty: boolean;
};

const wordsOf = (text: string) => text.split(/\s+/);
const OUR_IDS = new Set(wordsOf(IDS));
const namesOf = (texts: readonly string[], known: boolean): Shown['names'] =>
  new Map(
    texts
      .flatMap(wordsOf)
      .map((name): [string, Known] => [name, { member: `"${name}":`, own_id: known && OUR_IDS.has(name) }]),
  );

/** For a request about something that exists, so the ids in it are ours; and for a request about something unknown. */
export const IN_REQUEST: Shown = { names: namesOf([IDS, REFERENCES, MONEY, WORDS], true), without_empty: false };
export const IN_REFUSED: Shown = { names: namesOf([IDS, REFERENCES, MONEY, WORDS], false), without_empty: false };
export const IN_ANSWER: Shown = {
  names: namesOf([IDS, REFERENCES, MONEY, WORDS, ANSWERED], true),
  without_empty: true,
};
