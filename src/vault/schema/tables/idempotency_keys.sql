-- Idempotency-Keys of tokens.
CREATE TABLE vault.idempotency_keys (
  merchant_account_id vault.id24 NOT NULL,
  key text NOT NULL
    CONSTRAINT idempotency_keys_key_has_a_length CHECK (length(key) BETWEEN 1 AND 255),
  -- a keyed hash of the request without its cvc
  fingerprint bytea NOT NULL
    CONSTRAINT idempotency_keys_fingerprint_is_32_bytes CHECK (octet_length(fingerprint) = 32),
  token_hash bytea NOT NULL,
  -- to be answered again
  token_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT vault.now(),

  PRIMARY KEY (merchant_account_id, key)
);

CREATE INDEX idempotency_keys_age ON vault.idempotency_keys USING brin (created_at);

-- as in vault.forwards
CREATE INDEX tokens_by_key ON vault.idempotency_keys (substring(token_sealed FROM 2 FOR 8));

GRANT SELECT, INSERT, DELETE ON vault.idempotency_keys TO vault_app;
GRANT UPDATE (token_sealed) ON vault.idempotency_keys TO vault_app;
