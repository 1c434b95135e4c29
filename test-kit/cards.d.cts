// Written by npm run docs from the tables in src.
export declare const cards: {
  readonly approved: '4242424242424242';
  readonly approved_visa: '4242424242424242';
  readonly approved_mastercard: '5555555555554444';
  readonly approved_amex: '378282246310005';
  readonly approved_diners: '30123456789019';
  readonly approved_discover: '6011111111111117';
  readonly approved_jcb: '3530111333300000';
  readonly approved_unionpay: '6200000000000005';
  readonly approved_maestro: '6759649826438453';
  readonly approved_bancontact: '6703444444444449';
  readonly approved_co_badged_visa_and_cb: '4000002500001001';
  readonly approved_co_badged_mastercard_and_cb: '5555552500001001';
  readonly declined_by_issuer: '4000000000000002';
  readonly tokenizes_every_order_declined: '4000000000000341';
  readonly not_enough_funds: '4000000000009995';
  readonly limit_reached: '4000000000006975';
  readonly lost: '4000000000009987';
  readonly stolen: '4000000000009979';
  readonly expired_says_the_issuer: '4000000000000069';
  readonly wrong_security_code_says_the_issuer: '4000000000000127';
  readonly provider_cannot_process: '4000000000000119';
  readonly blocked_by_risk: '4100000000000019';
  readonly approved_is_suspicious_risk_score_95: '4000000000004954';
  readonly approved_is_suspicious_risk_score_65: '4000000000009235';
  readonly challenge_always_under_ask_3ds_and_force_3ds: '4000002760003184';
  readonly as_before_but_a_recurring_token_that_authenticated_once_passes_afterwards: '4000002500003155';
  readonly frictionless_at_any_amount: '4000000000003055';
  readonly challenge_then_not_enough_funds: '4000008260003178';
  readonly challenge_then_declined: '4000008400001629';
  readonly authentication_wanted_directory_fails: '4000008400001280';
  readonly frictionless_when_browser_data_were_sent_else_challenge: '5300000000000006';
  readonly approved_dispute_opened_one_day_after_capture: '4000000000000259';
  readonly every_refund_pending_done_after_1_h: '4000000000007726';
  readonly refund_done_bounces_after_1_h: '4000000000005126';
  readonly authorization_times_out_was_taken_approved_late_60_s: '4000009901000011';
  readonly times_out_not_taken: '4000009901000029';
  readonly simulator_refuses_connections_simulator_b_approves: '4000009901000052';
  readonly closes_mid_response_taken: '4000009901000045';
  readonly answers_500_after_taking: '4000009901000060';
  readonly answers_garbage_not_taken: '4000009901000078';
  readonly answers_with_another_amount_in_doubt_reversed: '4000009901000086';
  readonly provider_answers_twice_one_effect: '4000009901000037';
  readonly the_provider_message_comes_before_its_answer: '4000009901000094';
  readonly the_provider_messages_come_twice_and_out_of_order: '4000009901000102';
  readonly pending_then_approved_after_60_s: '4000009901000110';
  readonly pending_then_declined_after_60_s: '4000009901000128';
  readonly commits_only_after_our_reversal_reversed_again: '4000009901000136';
  readonly capture_declined: '4000009902000010';
  readonly capture_answer_lost_taken: '4000009902000028';
  readonly capture_pending_done_after_1_day: '4000009902000036';
  readonly capture_done_fails_after_1_day: '4000009902000044';
  readonly authorization_lapses_after_1_h: '4000009902000051';
  readonly refund_declined: '4000009903000019';
  readonly refund_done_fails_two_days_later: '4000009903000027';
  readonly refund_answer_lost_taken: '4000009903000035';
  readonly refund_pending_done_after_1_day: '4000009903000043';
  readonly cancel_declined: '4000009904000018';
  readonly cancel_answer_lost_done: '4000009904000026';
  readonly chargeback_40_days_after_capture_lost: '4000009906000016';
  readonly chargeback_40_days_after_capture_won_30_days_later: '4000009906000024';
  readonly not_enrolled_under_force_3ds_refused: '4000009907000015';
  readonly authentication_unavailable_under_force_3ds_refused: '4000009907000049';
  readonly challenge_page_never_answers: '4000009907000023';
  readonly frictionless_result_attempted: '4000009907000031';
  readonly declined_visa_code_46_never_again_with_this_card: '4000009908000014';
  readonly not_enough_funds_advice_25_wait_a_day: '5300000000000105';
  readonly declined_at_simulator_05_simulator_b_approves: '4000009908000022';
  readonly not_enough_funds_approved_from_the_third_day_on: '4000009908000048';
  readonly declined_advice_03_do_not_try_again: '5300000000000204';
  readonly not_allowed_code_57: '4000009908000030';
  readonly result_risk_listed: '4000009991310106';
  readonly result_risk_tool_blocked: '4000009991310114';
  readonly result_risk_data_mismatch: '4000009991310205';
  readonly result_risk_outside_check: '4000009991310304';
  readonly result_risk_country_refused: '4000009991310403';
  readonly result_risk_velocity: '4000009991310502';
  readonly result_risk_velocity_card: '4000009991310510';
  readonly result_risk_velocity_email: '4000009991310528';
  readonly result_risk_velocity_ip: '4000009991310536';
  readonly result_risk_velocity_verified_info: '4000009991310544';
  readonly result_risk_velocity_bin: '4000009991310551';
  readonly result_risk_velocity_billing_address: '4000009991310569';
  readonly result_risk_velocity_shipping_address: '4000009991310577';
  readonly result_risk_velocity_cardholder_name: '4000009991310585';
  readonly result_risk_velocity_custom_data: '4000009991310593';
  readonly result_risk_refused: '4000009991310882';
  readonly result_provider_credentials_invalid: '4000009991510218';
  readonly result_provider_rights_missing: '4000009991510234';
  readonly result_no_route_payment_method: '4000009991510408';
  readonly result_no_route_currency: '4000009991510416';
  readonly result_no_route_channel: '4000009991510424';
  readonly result_no_route_partner: '4000009991510432';
  readonly result_provider_tokenization_failed: '4000009992214208';
  readonly result_account_invalid: '4000009992400203';
  readonly result_card_number_invalid: '4000009992400211';
  readonly result_card_expired_at_tokenization: '4000009992400229';
  readonly result_token_unusable: '4000009992410210';
  readonly result_card_data_invalid: '4000009992410319';
  readonly result_payer_left_tokenization: '4000009992610009';
  readonly result_authentication_declined: '4000009993100703';
  readonly result_authentication_timed_out: '4000009993200016';
  readonly result_authentication_failed: '4000009993200883';
  readonly result_card_not_enrolled: '4000009993201204';
  readonly result_acs_unreachable: '4000009993203101';
  readonly result_authentication_incorrect: '4000009993410003';
  readonly result_payer_left_authentication: '4000009993610008';
  readonly result_integration_error: '4000009994100702';
  readonly result_risk_refused_at_authorization: '4000009994200304';
  readonly result_currency_unsupported: '4000009994200403';
  readonly result_payment_method_unsupported: '4000009994200411';
  readonly result_authentication_required: '4000009994200502';
  readonly result_authorization_declined: '4000009994200882';
  readonly result_funds_insufficient: '4000009994201005';
  readonly result_issuer_unreachable: '4000009994201104';
  readonly result_bad_tries_exceeded: '4000009994201112';
  readonly result_issuer_risk_refused: '4000009994201302';
  readonly result_issuer_soft_decline: '4000009994201500';
  readonly result_issuer_declined: '4000009994201880';
  readonly result_acquirer_unreachable: '4000009994202102';
  readonly result_acquirer_risk_refused: '4000009994202300';
  readonly result_merchant_id_misconfigured: '4000009994202409';
  readonly result_acquirer_currency_unsupported: '4000009994202417';
  readonly result_acquirer_payment_method_unsupported: '4000009994202425';
  readonly result_merchant_misconfigured: '4000009994202482';
  readonly result_acquirer_authentication_required: '4000009994202508';
  readonly result_acquirer_amount_invalid: '4000009994202607';
  readonly result_acquirer_declined: '4000009994202888';
  readonly result_provider_unreachable: '4000009994204108';
  readonly result_authorization_declined_final: '4000009994210816';
  readonly result_limit_reached: '4000009994211012';
  readonly result_issuer_unreachable_final: '4000009994211103';
  readonly result_issuer_currency_unsupported: '4000009994211202';
  readonly result_card_expired: '4000009994211251';
  readonly result_card_restricted: '4000009994211269';
  readonly result_operation_not_allowed: '4000009994211277';
  readonly result_issuer_risk_refused_final: '4000009994211301';
  readonly result_card_stolen: '4000009994211319';
  readonly result_card_lost: '4000009994211327';
  readonly result_card_replaced: '4000009994401209';
  readonly result_card_invalid: '4000009994411208';
  readonly result_capture_after_lapse: '4000009995201202';
  readonly result_capture_unavailable: '4000009995202200';
  readonly result_capture_declined: '4000009995210880';
  readonly result_capture_order_cancelled: '4000009995211003';
  readonly result_issuer_capture_declined: '4000009995211888';
  readonly result_provider_capture_amount_invalid: '4000009995212605';
  readonly result_provider_capture_above_authorization: '4000009995212704';
  readonly result_provider_capture_already_done: '4000009995212712';
  readonly result_provider_capture_duplicated: '4000009995212720';
  readonly result_provider_captures_too_many: '4000009995212738';
  readonly result_acquirer_capture_declined: '4000009995212886';
  readonly result_refund_unavailable: '4000009996202100';
  readonly result_refund_declined: '4000009996210889';
  readonly result_refund_period_over: '4000009996211200';
  readonly result_provider_refund_amount_invalid: '4000009996212604';
  readonly result_provider_refund_above_captured: '4000009996212612';
  readonly result_provider_refund_already_done: '4000009996212703';
  readonly result_provider_refund_duplicated: '4000009996212711';
  readonly result_provider_refunds_too_many: '4000009996212729';
  readonly result_acquirer_refund_declined: '4000009996212885';
  readonly result_cancel_unavailable: '4000009997200103';
  readonly result_cancel_declined: '4000009997210888';
  readonly result_issuer_cancel_after_lapse: '4000009997211704';
  readonly result_issuer_cancel_after_capture: '4000009997211712';
  readonly result_issuer_cancel_already_done: '4000009997211720';
  readonly result_issuer_cancel_declined: '4000009997211886';
  readonly result_acquirer_cancel_declined: '4000009997212884';
};
export type EventName =
  | 'risk_assessment_requested'
  | 'risk_assessment_approved'
  | 'risk_assessment_declined'
  | 'authentication_requested'
  | 'authentication_successful'
  | 'authentication_declined'
  | 'authorization_requested'
  | 'authorization_successful'
  | 'authorization_declined'
  | 'authorization_cancelled'
  | 'authorization_expired'
  | 'authorization_cancel_requested'
  | 'authorization_cancel_declined'
  | 'capture_requested'
  | 'capture_successful'
  | 'capture_declined'
  | 'refund_requested'
  | 'refund_successful'
  | 'refund_declined'
  | 'checkout.expired'
  | 'customer.updated'
  | 'dispute.opened'
  | 'dispute.updated'
  | 'dispute.due'
  | 'dispute.won'
  | 'dispute.lost'
  | 'order.contradicted'
  | 'order.retries_ended'
  | 'provider.health_changed';
export type FaultName =
  | 'refuse_connection'
  | 'drop_before'
  | 'timeout_not_taken'
  | 'timeout_taken'
  | 'close_mid_response'
  | 'answer_twice'
  | 'late_answer'
  | 'http_500_before'
  | 'http_500_after'
  | 'garbage'
  | 'wrong_amount'
  | 'wrong_currency'
  | 'wrong_reference'
  | 'decline'
  | 'pending'
  | 'callback_first'
  | 'callback_twice'
  | 'callback_never'
  | 'provider_down';
