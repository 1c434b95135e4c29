-- API keys of accounts. Only the hash of a key is kept.
CREATE TABLE payment.api_keys (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  digest bytea NOT NULL UNIQUE
    CONSTRAINT api_keys_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  kind text NOT NULL CONSTRAINT api_keys_kind_is_known CHECK (kind IN ('public', 'private')),
  environment text NOT NULL
    CONSTRAINT api_keys_environment_is_known CHECK (environment IN ('sandbox', 'production')),
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT payment.now(),
  revoked_at timestamptz,
  -- of a key that was rolled: it ends by itself
  ends_at timestamptz,
  last_used_at timestamptz,
  -- a browser brought this private key: it is in a page, where anybody can read it
  in_page_at timestamptz,
  -- what the key may be used for; NULL: everything. Only private keys are narrowed
  scopes text[],

  CONSTRAINT api_keys_scopes_are_known_and_of_private CHECK (
    scopes IS NULL
    OR kind = 'private'
      AND cardinality(scopes) > 0
      AND scopes <@ ARRAY[
        'read', 'payments', 'refunds', 'cards', 'notifications', 'tokens', 'sandbox'
      ]
  )
);

CREATE INDEX api_keys_by_account ON payment.api_keys (merchant_account_id);

CREATE INDEX api_keys_ending ON payment.api_keys (ends_at)
  WHERE revoked_at IS NULL AND ends_at IS NOT NULL;

ALTER TABLE payment.api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.api_keys TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.api_keys TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.api_keys TO payment_app;
GRANT UPDATE (revoked_at, ends_at, last_used_at, in_page_at) ON payment.api_keys TO payment_app;
GRANT SELECT ON payment.api_keys TO payment_queue;
