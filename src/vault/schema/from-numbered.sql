-- Brings a database that ran the numbered files of before the baseline to it: names of constraints.
-- Run once by the migrator (kit/schema/adopt.ts).
ALTER DOMAIN vault.id24 RENAME CONSTRAINT id24_check TO id24_is_12_bytes;
ALTER TABLE vault.clock RENAME CONSTRAINT clock_one_check TO clock_one_row;
ALTER TABLE vault.key_epoch RENAME CONSTRAINT key_epoch_one_check TO key_epoch_one_row;
ALTER TABLE vault.data_keys RENAME CONSTRAINT data_keys_purpose_check TO data_keys_purpose_is_known;
ALTER TABLE vault.data_keys
  RENAME CONSTRAINT data_keys_check
  TO data_keys_only_card_keys_have_merchant;
ALTER TABLE vault.data_keys RENAME CONSTRAINT data_keys_check1 TO data_keys_destroyed_has_no_key;
ALTER TABLE vault.data_keys RENAME CONSTRAINT data_keys_state_check TO data_keys_state_is_known;
ALTER TABLE vault.rotations RENAME CONSTRAINT rotations_kind_check TO rotations_kind_is_known;
ALTER TABLE vault.fingerprints
  RENAME CONSTRAINT fingerprints_mac_check
  TO fingerprints_mac_is_32_bytes;
ALTER TABLE vault.cards RENAME CONSTRAINT cards_token_hash_check TO cards_token_hash_is_32_bytes;
ALTER TABLE vault.cards RENAME CONSTRAINT cards_environment_check TO cards_environment_is_known;
ALTER TABLE vault.cards RENAME CONSTRAINT cards_kind_check TO cards_kind_is_known;
ALTER TABLE vault.cards RENAME CONSTRAINT cards_exp_month_check TO cards_exp_month_is_in_range;
ALTER TABLE vault.cards RENAME CONSTRAINT cards_check TO cards_oneshot_ends;
ALTER TABLE vault.cvcs RENAME CONSTRAINT cvcs_token_hash_check TO cvcs_token_hash_is_32_bytes;
ALTER TABLE vault.forwards RENAME CONSTRAINT forwards_digest_check TO forwards_digest_is_16_bytes;
ALTER TABLE vault.forwards RENAME CONSTRAINT forwards_policy_check TO forwards_policy_is_known;
ALTER TABLE vault.forwards RENAME CONSTRAINT forwards_state_check TO forwards_state_is_known;
ALTER TABLE vault.forwards
  RENAME CONSTRAINT forwards_check
  TO forwards_tombstone_is_policy_and_state;
ALTER TABLE vault.idempotency_keys
  RENAME CONSTRAINT idempotency_keys_key_check
  TO idempotency_keys_key_has_a_length;
ALTER TABLE vault.idempotency_keys
  RENAME CONSTRAINT idempotency_keys_fingerprint_check
  TO idempotency_keys_fingerprint_is_32_bytes;
ALTER TABLE vault.api_keys RENAME CONSTRAINT api_keys_digest_check TO api_keys_digest_is_32_bytes;
ALTER TABLE vault.api_keys RENAME CONSTRAINT api_keys_kind_check TO api_keys_kind_is_known;
ALTER TABLE vault.partners RENAME CONSTRAINT partners_name_check TO partners_name_has_a_length;
ALTER TABLE vault.audit RENAME CONSTRAINT audit_hash_check TO audit_hash_is_32_bytes;
ALTER TABLE vault.operators RENAME CONSTRAINT operators_name_check TO operators_name_is_plain;
ALTER TABLE vault.operators
  RENAME CONSTRAINT operators_secret_hash_check
  TO operators_secret_hash_is_32_bytes;
ALTER TABLE vault.imports
  RENAME CONSTRAINT imports_input_mac_check
  TO imports_input_mac_is_32_bytes;
ALTER TABLE vault.exports RENAME CONSTRAINT exports_check TO exports_approved_by_another;
ALTER TABLE vault.exports RENAME CONSTRAINT exports_check1 TO exports_approved_by_and_at;
ALTER TABLE vault.exports RENAME CONSTRAINT exports_check2 TO exports_started_after_approval;
