-- Brings a database that ran the numbered files of before the baseline to it: names of constraints.
-- Run once by the migrator (kit/schema/adopt.ts).
ALTER DOMAIN payment.id24 RENAME CONSTRAINT id24_check TO id24_is_12_bytes;
ALTER TABLE payment.clock RENAME CONSTRAINT clock_one_check TO clock_one_row;
ALTER TABLE payment.secret_key RENAME CONSTRAINT secret_key_one_check TO secret_key_one_row;
ALTER TABLE payment.secret_key
  RENAME CONSTRAINT secret_key_check_value_check
  TO secret_key_check_value_is_32_bytes;
ALTER TABLE payment.providers RENAME CONSTRAINT providers_health_check TO providers_health_is_known;
ALTER TABLE payment.api_keys RENAME CONSTRAINT api_keys_digest_check TO api_keys_digest_is_32_bytes;
ALTER TABLE payment.api_keys RENAME CONSTRAINT api_keys_kind_check TO api_keys_kind_is_known;
ALTER TABLE payment.api_keys
  RENAME CONSTRAINT api_keys_environment_check
  TO api_keys_environment_is_known;
ALTER TABLE payment.api_keys
  RENAME CONSTRAINT api_keys_scopes_check
  TO api_keys_scopes_are_known_and_of_private;
ALTER TABLE payment.contracts
  RENAME CONSTRAINT contracts_merchant_account_id_name_key
  TO contracts_name_once;
ALTER TABLE payment.contracts
  RENAME CONSTRAINT contracts_authorization_days_check
  TO contracts_authorization_days_is_in_range;
ALTER TABLE payment.checkouts
  RENAME CONSTRAINT checkouts_amount_minor_check
  TO checkouts_amount_is_positive;
ALTER TABLE payment.checkouts RENAME CONSTRAINT checkouts_status_check TO checkouts_status_is_known;
ALTER TABLE payment.checkouts
  RENAME CONSTRAINT checkouts_page_handle_check
  TO checkouts_page_handle_is_32_bytes;
ALTER TABLE payment.checkouts
  RENAME CONSTRAINT checkouts_max_attempts_check
  TO checkouts_max_attempts_is_in_range;
ALTER TABLE payment.orders RENAME CONSTRAINT orders_amount_minor_check TO orders_amount_is_positive;
ALTER TABLE payment.orders
  RENAME CONSTRAINT orders_fingerprint_check
  TO orders_fingerprint_is_16_bytes;
ALTER TABLE payment.orders RENAME CONSTRAINT orders_status_check TO orders_status_is_known;
ALTER TABLE payment.orders RENAME CONSTRAINT orders_check TO orders_live_follows_status;
ALTER TABLE payment.orders RENAME CONSTRAINT orders_check1 TO orders_authorized_at_most_amount;
ALTER TABLE payment.orders RENAME CONSTRAINT orders_check2 TO orders_no_cancel_beside_capture;
ALTER TABLE payment.orders RENAME CONSTRAINT orders_above_minor_check TO orders_above_is_positive;
ALTER TABLE payment.orders RENAME CONSTRAINT orders_check3 TO orders_captured_at_most_authorized;
ALTER TABLE payment.orders RENAME CONSTRAINT orders_check4 TO orders_refunded_at_most_captured;
ALTER TABLE payment.transactions
  RENAME CONSTRAINT transactions_token_hash_check
  TO transactions_token_hash_is_32_bytes;
ALTER TABLE payment.transactions
  RENAME CONSTRAINT transactions_token_type_check
  TO transactions_token_type_is_known;
ALTER TABLE payment.transactions
  RENAME CONSTRAINT transactions_card_digest_check
  TO transactions_card_digest_is_32_bytes;
ALTER TABLE payment.operations RENAME CONSTRAINT operations_kind_check TO operations_kind_is_known;
ALTER TABLE payment.operations
  RENAME CONSTRAINT operations_origin_check
  TO operations_origin_is_known;
ALTER TABLE payment.operations
  RENAME CONSTRAINT operations_amount_minor_check
  TO operations_amount_is_positive;
ALTER TABLE payment.operations
  RENAME CONSTRAINT operations_state_check
  TO operations_state_is_known;
ALTER TABLE payment.operations
  RENAME CONSTRAINT operations_waits_for_check
  TO operations_waits_for_is_known;
ALTER TABLE payment.operations
  RENAME CONSTRAINT operations_check
  TO operations_only_authorizations_capture_or_reverse;
ALTER TABLE payment.operations
  RENAME CONSTRAINT operations_check1
  TO operations_reversal_has_target;
ALTER TABLE payment.operations
  RENAME CONSTRAINT operations_check2
  TO operations_one_authorization_per_attempt;
ALTER TABLE payment.operations
  RENAME CONSTRAINT operations_answer_hash_check
  TO operations_answer_hash_is_32_bytes;
ALTER TABLE payment.observations
  RENAME CONSTRAINT observations_source_check
  TO observations_source_is_known;
ALTER TABLE payment.observations
  RENAME CONSTRAINT observations_outcome_check
  TO observations_outcome_is_known;
ALTER TABLE payment.observations
  RENAME CONSTRAINT observations_answer_check
  TO observations_answer_is_short;
ALTER TABLE payment.authentications
  RENAME CONSTRAINT authentications_demand_check
  TO authentications_demand_is_known;
ALTER TABLE payment.authentications
  RENAME CONSTRAINT authentications_state_check
  TO authentications_state_is_known;
ALTER TABLE payment.authentications
  RENAME CONSTRAINT authentications_handle_check
  TO authentications_handle_is_32_bytes;
ALTER TABLE payment.authentications
  RENAME CONSTRAINT authentications_check
  TO authentications_settled_when_ended;
ALTER TABLE payment.contradictions
  RENAME CONSTRAINT contradictions_kind_check
  TO contradictions_kind_is_known;
ALTER TABLE payment.contradictions
  RENAME CONSTRAINT contradictions_held_check
  TO contradictions_held_is_known;
ALTER TABLE payment.contradictions
  RENAME CONSTRAINT contradictions_said_check
  TO contradictions_said_is_known;
ALTER TABLE payment.contradictions
  RENAME CONSTRAINT contradictions_amount_minor_check
  TO contradictions_amount_is_positive;
ALTER TABLE payment.contradictions
  RENAME CONSTRAINT contradictions_state_check
  TO contradictions_state_is_known;
ALTER TABLE payment.contradictions
  RENAME CONSTRAINT contradictions_check
  TO contradictions_settled_unless_open;
ALTER TABLE payment.rulings RENAME CONSTRAINT rulings_ruling_check TO rulings_ruling_is_known;
ALTER TABLE payment.rulings RENAME CONSTRAINT rulings_reason_check TO rulings_reason_has_a_length;
ALTER TABLE payment.rulings RENAME CONSTRAINT rulings_by_name_check TO rulings_by_name_has_a_length;
ALTER TABLE payment.disputes RENAME CONSTRAINT disputes_state_check TO disputes_state_is_known;
ALTER TABLE payment.disputes
  RENAME CONSTRAINT disputes_amount_minor_check
  TO disputes_amount_is_positive;
ALTER TABLE payment.ledger_entries
  RENAME CONSTRAINT ledger_entries_posting_check
  TO ledger_entries_posting_is_known;
ALTER TABLE payment.ledger_entries
  RENAME CONSTRAINT ledger_entries_line_check
  TO ledger_entries_line_is_in_range;
ALTER TABLE payment.ledger_entries
  RENAME CONSTRAINT ledger_entries_debit_check
  TO ledger_entries_debit_is_known;
ALTER TABLE payment.ledger_entries
  RENAME CONSTRAINT ledger_entries_credit_check
  TO ledger_entries_credit_is_known;
ALTER TABLE payment.ledger_entries
  RENAME CONSTRAINT ledger_entries_amount_minor_check
  TO ledger_entries_amount_is_positive;
ALTER TABLE payment.ledger_entries
  RENAME CONSTRAINT ledger_entries_check
  TO ledger_entries_debit_is_not_credit;
ALTER TABLE payment.idempotency_keys
  RENAME CONSTRAINT idempotency_keys_key_check
  TO idempotency_keys_key_has_a_length;
ALTER TABLE payment.idempotency_keys
  RENAME CONSTRAINT idempotency_keys_fingerprint_check
  TO idempotency_keys_fingerprint_is_32_bytes;
ALTER TABLE payment.provider_events
  RENAME CONSTRAINT provider_events_state_check
  TO provider_events_state_is_known;
ALTER TABLE payment.provider_events
  RENAME CONSTRAINT provider_events_check
  TO provider_events_passed_over_has_reason;
ALTER TABLE payment.customers
  RENAME CONSTRAINT customers_customer_id_check
  TO customers_customer_id_has_a_length;
ALTER TABLE payment.customer_orders
  RENAME CONSTRAINT customer_orders_token_hash_check
  TO customer_orders_token_hash_is_32_bytes;
ALTER TABLE payment.customer_methods
  RENAME CONSTRAINT customer_methods_uses_check
  TO customer_methods_uses_is_positive;
ALTER TABLE payment.saved_cards
  RENAME CONSTRAINT saved_cards_token_hash_check
  TO saved_cards_token_hash_is_32_bytes;
ALTER TABLE payment.saved_cards
  RENAME CONSTRAINT saved_cards_card_digest_check
  TO saved_cards_card_digest_is_32_bytes;
ALTER TABLE payment.saved_card_tokens
  RENAME CONSTRAINT saved_card_tokens_token_hash_check
  TO saved_card_tokens_token_hash_is_32_bytes;
ALTER TABLE payment.saved_card_tokens
  RENAME CONSTRAINT saved_card_tokens_card_digest_check
  TO saved_card_tokens_card_digest_is_32_bytes;
ALTER TABLE payment.card_removals
  RENAME CONSTRAINT card_removals_token_hash_check
  TO card_removals_token_hash_is_32_bytes;
ALTER TABLE payment.network_references
  RENAME CONSTRAINT network_references_reference_check
  TO network_references_reference_is_printable;
ALTER TABLE payment.risk_versions
  RENAME CONSTRAINT risk_versions_version_check
  TO risk_versions_version_is_positive;
ALTER TABLE payment.risk_versions
  RENAME CONSTRAINT risk_versions_by_name_check
  TO risk_versions_by_name_has_a_length;
ALTER TABLE payment.risk_entries
  RENAME CONSTRAINT risk_entries_subject_check
  TO risk_entries_subject_is_16_bytes;
ALTER TABLE payment.risk_entries
  RENAME CONSTRAINT risk_entries_verdict_check
  TO risk_entries_verdict_is_known;
ALTER TABLE payment.risk_entries
  RENAME CONSTRAINT risk_entries_by_name_check
  TO risk_entries_by_name_has_a_length;
ALTER TABLE payment.risk_entries
  RENAME CONSTRAINT risk_entries_shown_check
  TO risk_entries_card_is_shown_sealed;
ALTER TABLE payment.risk_sightings
  RENAME CONSTRAINT risk_sightings_subject_check
  TO risk_sightings_subject_is_16_bytes;
ALTER TABLE payment.endpoints RENAME CONSTRAINT endpoints_state_check TO endpoints_state_is_known;
ALTER TABLE payment.notifications
  RENAME CONSTRAINT notifications_state_check
  TO notifications_state_is_known;
ALTER TABLE payment.notification_faults
  RENAME CONSTRAINT notification_faults_fault_check
  TO notification_faults_fault_is_known;
ALTER TABLE payment.notification_faults
  RENAME CONSTRAINT notification_faults_times_check
  TO notification_faults_times_is_in_range;
ALTER TABLE payment.notification_faults
  RENAME CONSTRAINT notification_faults_remaining_check
  TO notification_faults_remaining_is_in_range;
ALTER TABLE payment.people RENAME CONSTRAINT people_email_check TO people_email_is_small_letters;
ALTER TABLE payment.people RENAME CONSTRAINT people_name_check TO people_name_has_a_length;
ALTER TABLE payment.people
  RENAME CONSTRAINT people_command_digest_check
  TO people_command_digest_is_32_bytes;
ALTER TABLE payment.recovery_codes
  RENAME CONSTRAINT recovery_codes_digest_check
  TO recovery_codes_digest_is_32_bytes;
ALTER TABLE payment.sessions RENAME CONSTRAINT sessions_digest_check TO sessions_digest_is_32_bytes;
ALTER TABLE payment.sessions RENAME CONSTRAINT sessions_stage_check TO sessions_stage_is_known;
ALTER TABLE payment.known_networks
  RENAME CONSTRAINT known_networks_network_check
  TO known_networks_network_has_a_length;
ALTER TABLE payment.members RENAME CONSTRAINT members_role_check TO members_role_is_known;
ALTER TABLE payment.invitations
  RENAME CONSTRAINT invitations_digest_check
  TO invitations_digest_is_32_bytes;
ALTER TABLE payment.invitations
  RENAME CONSTRAINT invitations_role_check
  TO invitations_role_is_known;
ALTER TABLE payment.invitations
  RENAME CONSTRAINT invitations_check
  TO invitations_only_owner_without_email;
ALTER TABLE payment.saved_views
  RENAME CONSTRAINT saved_views_name_check
  TO saved_views_name_has_a_length;
ALTER TABLE payment.refund_requests
  RENAME CONSTRAINT refund_requests_amount_minor_check
  TO refund_requests_amount_is_positive;
ALTER TABLE payment.refund_requests
  RENAME CONSTRAINT refund_requests_state_check
  TO refund_requests_state_is_known;
ALTER TABLE payment.refund_requests
  RENAME CONSTRAINT refund_requests_check
  TO refund_requests_decided_unless_open;
ALTER TABLE payment.refund_requests
  RENAME CONSTRAINT refund_requests_check1
  TO refund_requests_approved_has_operation;
ALTER TABLE payment.refund_requests
  RENAME CONSTRAINT refund_requests_check2
  TO refund_requests_approved_by_another;
ALTER TABLE payment.audit RENAME CONSTRAINT audit_result_check TO audit_result_is_known;
ALTER TABLE payment.audit RENAME CONSTRAINT audit_hash_check TO audit_hash_is_32_bytes;
ALTER TABLE payment.audit_heads
  RENAME CONSTRAINT audit_heads_hash_check
  TO audit_heads_hash_is_32_bytes;
ALTER TABLE payment.order_classes
  RENAME CONSTRAINT order_classes_merchant_account_id_status_code_currency_prov_key
  TO order_classes_combination_once;
ALTER TABLE payment.order_search_state
  RENAME CONSTRAINT order_search_state_one_check
  TO order_search_state_one_row;
