-- Credentials of a merchant's contracts with providers: the vault fills them in itself, so that a
-- card goes out with those of its own contract and no others (docs/decisions/0048). Sealed under
-- the merchant's data key.
CREATE TABLE vault.contracts (
  id vault.id24 PRIMARY KEY,
  merchant_account_id vault.id24 NOT NULL,
  destination text NOT NULL,
  credentials_sealed bytea NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT vault.now()
);

-- as in vault.forwards
CREATE INDEX credentials_by_key ON vault.contracts (substring(credentials_sealed FROM 2 FOR 8));

GRANT SELECT, INSERT ON vault.contracts TO vault_app;
GRANT UPDATE (credentials_sealed, changed_at) ON vault.contracts TO vault_app;
