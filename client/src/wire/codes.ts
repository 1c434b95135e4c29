// Written by `npm run docs` from the tables in src; not to be edited.
/** Every result code that this version of the client knows, and its name. */
export const CODES = {
  // checkout created successfully
  '011111': 'checkout_created',
  // the session could not be created
  '100301': 'session_not_created',
  // a required parameter is missing
  '111011': 'parameter_missing',
  // a parameter is not valid
  '111012': 'parameter_invalid',
  // the request could not be served
  '111013': 'internal_error',
  // the api key is missing or not valid
  '111022': 'api_key_invalid',
  // the api key does not allow this request
  '111023': 'api_key_rights_missing',
  // no attempts left
  '111034': 'attempts_used_up',
  // the order is already being processed
  '111035': 'order_in_process',
  // refused by a block list
  '131010': 'risk_listed',
  // refused by an outside risk tool
  '131011': 'risk_tool_blocked',
  // refused because the data do not match
  '131020': 'risk_data_mismatch',
  // refused by an outside check such as address or device
  '131030': 'risk_outside_check',
  // refused because of the country
  '131040': 'risk_country_refused',
  // refused by a frequency rule
  '131050': 'risk_velocity',
  // the card is used too often
  '131051': 'risk_velocity_card',
  // the e-mail address is used too often
  '131052': 'risk_velocity_email',
  // the ip address is used too often
  '131053': 'risk_velocity_ip',
  // verified customer information is used too often
  '131054': 'risk_velocity_verified_info',
  // cards of this issuer range are used too often
  '131055': 'risk_velocity_bin',
  // the billing address is used too often
  '131056': 'risk_velocity_billing_address',
  // the shipping address is used too often
  '131057': 'risk_velocity_shipping_address',
  // the cardholder name is used too often
  '131058': 'risk_velocity_cardholder_name',
  // a custom value is used too often
  '131059': 'risk_velocity_custom_data',
  // refused by the risk assessment
  '131088': 'risk_refused',
  // accepted by the risk assessment
  '133333': 'risk_accepted',
  // the provider does not accept the credentials
  '151021': 'provider_credentials_invalid',
  // the provider credentials do not allow this request
  '151023': 'provider_rights_missing',
  // no provider for this payment method
  '151040': 'no_route_payment_method',
  // no provider for this currency
  '151041': 'no_route_currency',
  // no provider for this payment channel
  '151042': 'no_route_channel',
  // no such provider contract
  '151043': 'no_route_partner',
  // the payer left before an order was placed
  '161000': 'payer_left_order',
  // the provider could not tokenize the card
  '221420': 'provider_tokenization_failed',
  // the account is not valid
  '240020': 'account_invalid',
  // the card number is not valid
  '240021': 'card_number_invalid',
  // the card has expired
  '240022': 'card_expired_at_tokenization',
  // the token is unknown, used or expired
  '241021': 'token_unusable',
  // the card data are not valid
  '241031': 'card_data_invalid',
  // the payer left while entering the card
  '261000': 'payer_left_tokenization',
  // authentication declined
  '310070': 'authentication_declined',
  // authentication timed out
  '320001': 'authentication_timed_out',
  // authentication failed
  '320088': 'authentication_failed',
  // the card is not enrolled for authentication
  '320120': 'card_not_enrolled',
  // the access control server is unreachable
  '320310': 'acs_unreachable',
  // the payer did not authenticate correctly
  '341000': 'authentication_incorrect',
  // the payer left during authentication
  '361000': 'payer_left_authentication',
  // the route does not exist
  '404000': 'route_unknown',
  // the provider did not accept the request as built
  '410070': 'integration_error',
  // refused for risk
  '420030': 'risk_refused_at_authorization',
  // currency not supported
  '420040': 'currency_unsupported',
  // payment method not supported
  '420041': 'payment_method_unsupported',
  // authentication required
  '420050': 'authentication_required',
  // declined
  '420088': 'authorization_declined',
  // not enough funds
  '420100': 'funds_insufficient',
  // the issuer is unreachable
  '420110': 'issuer_unreachable',
  // too many failed tries on the card
  '420111': 'bad_tries_exceeded',
  // refused by the issuer for risk
  '420130': 'issuer_risk_refused',
  // the issuer asks for authentication
  '420150': 'issuer_soft_decline',
  // declined by the issuer
  '420188': 'issuer_declined',
  // the acquirer is unreachable
  '420210': 'acquirer_unreachable',
  // refused by the acquirer for risk
  '420230': 'acquirer_risk_refused',
  // the merchant id is set up wrongly
  '420240': 'merchant_id_misconfigured',
  // currency not supported by the acquirer
  '420241': 'acquirer_currency_unsupported',
  // payment method not supported by the acquirer
  '420242': 'acquirer_payment_method_unsupported',
  // the merchant is set up wrongly at the acquirer
  '420248': 'merchant_misconfigured',
  // the acquirer asks for authentication
  '420250': 'acquirer_authentication_required',
  // the acquirer does not accept the amount
  '420260': 'acquirer_amount_invalid',
  // declined by the acquirer
  '420288': 'acquirer_declined',
  // the provider is unreachable
  '420410': 'provider_unreachable',
  // pending authorization
  '421080': 'authorization_pending',
  // declined, do not try again
  '421081': 'authorization_declined_final',
  // a limit of the card is reached
  '421101': 'limit_reached',
  // the issuer is unreachable, do not try again
  '421110': 'issuer_unreachable_final',
  // currency not supported by the issuer
  '421120': 'issuer_currency_unsupported',
  // the issuer says the card has expired
  '421125': 'card_expired',
  // the card is restricted
  '421126': 'card_restricted',
  // the card does not allow this operation
  '421127': 'operation_not_allowed',
  // refused by the issuer for risk, do not try again
  '421130': 'issuer_risk_refused_final',
  // the card is reported stolen
  '421131': 'card_stolen',
  // the card is reported lost
  '421132': 'card_lost',
  // the card is not valid, a newer card exists
  '440120': 'card_replaced',
  // the card is not valid
  '441120': 'card_invalid',
  // the authorization is already captured
  '511030': 'capture_already_done',
  // the capture is above the authorization
  '511031': 'capture_above_authorization',
  // the same capture is already requested
  '511032': 'capture_duplicated',
  // too many captures
  '511033': 'captures_too_many',
  // the authorization has lapsed
  '520120': 'capture_after_lapse',
  // the order cannot be captured
  '520220': 'capture_unavailable',
  // pending capture
  '521080': 'capture_pending',
  // capture declined
  '521088': 'capture_declined',
  // the order was cancelled by the payer
  '521100': 'capture_order_cancelled',
  // capture declined by the issuer
  '521188': 'issuer_capture_declined',
  // the provider does not accept the capture amount
  '521260': 'provider_capture_amount_invalid',
  // the provider says the capture is above the authorization
  '521270': 'provider_capture_above_authorization',
  // the provider says the authorization is already captured
  '521271': 'provider_capture_already_done',
  // the provider says the capture is a duplicate
  '521272': 'provider_capture_duplicated',
  // the provider allows no further capture
  '521273': 'provider_captures_too_many',
  // capture declined by the acquirer
  '521288': 'acquirer_capture_declined',
  // the refund is above the captured amount
  '611030': 'refund_above_captured',
  // the capture is already refunded
  '611031': 'refund_already_done',
  // the same refund is already requested
  '611032': 'refund_duplicated',
  // too many refunds
  '611033': 'refunds_too_many',
  // the order cannot be refunded
  '620210': 'refund_unavailable',
  // pending refund
  '621080': 'refund_pending',
  // refund declined
  '621088': 'refund_declined',
  // the refund period is over
  '621120': 'refund_period_over',
  // the provider does not accept the refund amount
  '621260': 'provider_refund_amount_invalid',
  // the provider says the refund is above the captured amount
  '621261': 'provider_refund_above_captured',
  // the provider says the capture is already refunded
  '621270': 'provider_refund_already_done',
  // the provider says the refund is a duplicate
  '621271': 'provider_refund_duplicated',
  // the provider allows no further refund
  '621272': 'provider_refunds_too_many',
  // refund declined by the acquirer
  '621288': 'acquirer_refund_declined',
  // the authorization has already lapsed
  '711030': 'cancel_after_lapse',
  // the authorization is already captured
  '711031': 'cancel_after_capture',
  // the authorization is already cancelled
  '711032': 'cancel_already_done',
  // the same cancellation is already requested
  '711033': 'cancel_duplicated',
  // the authorization cannot be cancelled
  '720010': 'cancel_unavailable',
  // pending cancellation
  '721080': 'cancel_pending',
  // cancellation declined
  '721088': 'cancel_declined',
  // the issuer says the authorization has lapsed
  '721170': 'issuer_cancel_after_lapse',
  // the issuer says the authorization is captured
  '721171': 'issuer_cancel_after_capture',
  // the issuer says the authorization is cancelled
  '721172': 'issuer_cancel_already_done',
  // cancellation declined by the issuer
  '721188': 'issuer_cancel_declined',
  // cancellation declined by the acquirer
  '721288': 'acquirer_cancel_declined',
  // session created
  '900000': 'session_created',
  // request completed
  '911111': 'request_completed',
  // tokenization successful
  '922222': 'tokenization_successful_listed',
  // authorization successful
  '944444': 'authorization_successful',
  // capture successful
  '955555': 'capture_successful',
  // refund successful
  '966666': 'refund_successful',
  // authorization cancelled
  '977777': 'cancel_successful',
  // settlement successful
  '988888': 'settlement_successful',
  // Tokenization successful
  '999999': 'tokenization_successful',
  // customer updated
  '9111111': 'customer_updated',
  // capture successful
  '9555555': 'capture_successful_long',
} as const;

export type ResultName = (typeof CODES)[keyof typeof CODES];

/** Currencies by the number of their decimals (ISO 4217). */
export const DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: 'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
