-- Tokens of a partner in place of a card (contract 6.4): sealed like one, always recurring, and good at that partner only.
ALTER TABLE vault.cards ADD COLUMN partner text, ADD COLUMN subscription_id vault.id24;
ALTER TABLE vault.cards
  ALTER COLUMN card_unique_id DROP NOT NULL, ALTER COLUMN first6 DROP NOT NULL, ALTER COLUMN last4 DROP NOT NULL,
  ALTER COLUMN exp_month DROP NOT NULL, ALTER COLUMN exp_year DROP NOT NULL,
  ADD CONSTRAINT card_or_partner CHECK (
    CASE WHEN partner IS NULL THEN num_nulls(card_unique_id, first6, last4, exp_month, exp_year) = 0 AND subscription_id IS NULL
    ELSE kind = 'recurring' AND subscription_id IS NOT NULL END);

CREATE TABLE vault.partners (            -- pushed by the money zone: whose tokens an account may bring
  merchant_account_id vault.id24 NOT NULL, name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  PRIMARY KEY (merchant_account_id, name));
GRANT SELECT, INSERT, DELETE ON vault.partners TO vault_app;
