-- API keys, pushed by the money zone.
CREATE TABLE vault.api_keys (
  id text PRIMARY KEY,
  digest bytea NOT NULL UNIQUE
    CONSTRAINT api_keys_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  merchant_account_id vault.id24 NOT NULL,
  kind text NOT NULL CONSTRAINT api_keys_kind_is_known CHECK (kind IN ('public', 'private')),
  environment text NOT NULL,
  page_inputs boolean NOT NULL DEFAULT false,
  -- who may frame the hosted fields of the account
  registered_origins text[] NOT NULL DEFAULT '{}',
  -- what the key may be used for, as the money zone says; NULL: everything
  scopes text[]
);

CREATE INDEX api_keys_by_merchant ON vault.api_keys (merchant_account_id);

GRANT SELECT, INSERT, DELETE ON vault.api_keys TO vault_app;
GRANT UPDATE (
  merchant_account_id, kind, page_inputs, registered_origins, scopes
) ON vault.api_keys TO vault_app;
