-- Whose tokens an account may bring, pushed by the money zone.
CREATE TABLE vault.partners (
  merchant_account_id vault.id24 NOT NULL,
  name text NOT NULL CONSTRAINT partners_name_has_a_length CHECK (length(name) BETWEEN 1 AND 64),

  PRIMARY KEY (merchant_account_id, name)
);

GRANT SELECT, INSERT, DELETE ON vault.partners TO vault_app;
