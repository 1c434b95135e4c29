-- People who may bring cards in and out. Their secrets are shown once, and kept as a hash.
CREATE TABLE vault.operators (
  name text PRIMARY KEY
    CONSTRAINT operators_name_is_plain CHECK (name ~ '^[a-z][a-z0-9._-]{1,39}$'),
  secret_hash bytea NOT NULL
    CONSTRAINT operators_secret_hash_is_32_bytes CHECK (octet_length(secret_hash) = 32),
  added_by text NOT NULL,
  added_at timestamptz NOT NULL DEFAULT vault.now()
);

GRANT SELECT, INSERT ON vault.operators TO vault_app;
