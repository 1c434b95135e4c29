-- Payloads of wallets that were taken: each pays once. A row outlives the time in which its payload
-- would be taken by a day.
CREATE TABLE vault.wallet_payloads (
  merchant_account_id vault.id24 NOT NULL,
  -- of what the wallet names it by
  digest bytea NOT NULL
    CONSTRAINT wallet_payloads_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  delete_after timestamptz NOT NULL,

  PRIMARY KEY (merchant_account_id, digest)
);

CREATE INDEX wallet_payloads_to_delete ON vault.wallet_payloads USING brin (delete_after);

GRANT SELECT, INSERT, DELETE ON vault.wallet_payloads TO vault_app;
