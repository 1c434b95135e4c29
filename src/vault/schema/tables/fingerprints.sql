-- Fingerprints of cards, keyed for each merchant: two merchants cannot link a cardholder.
CREATE TABLE vault.fingerprints (
  merchant_account_id vault.id24 NOT NULL,
  key_id bigint NOT NULL,
  mac bytea NOT NULL CONSTRAINT fingerprints_mac_is_32_bytes CHECK (octet_length(mac) = 32),
  card_unique_id uuid NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT vault.now(),

  PRIMARY KEY (merchant_account_id, key_id, mac)
) WITH (fillfactor = 55);

GRANT SELECT, INSERT, DELETE ON vault.fingerprints TO vault_app;
GRANT UPDATE (seen_at) ON vault.fingerprints TO vault_app;
