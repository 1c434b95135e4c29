-- An account at a provider, and what it may be used for (an empty list: anything).
CREATE TABLE payment.contracts (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  name text NOT NULL,
  provider text NOT NULL,
  priority smallint NOT NULL DEFAULT 1,
  enabled boolean NOT NULL DEFAULT true,
  methods text[] NOT NULL DEFAULT '{}',
  currencies text[] NOT NULL DEFAULT '{}',
  channels text[] NOT NULL DEFAULT '{}',
  countries text[] NOT NULL DEFAULT '{}',
  operations text[] NOT NULL DEFAULT '{}',
  token_types text[] NOT NULL DEFAULT '{}',
  authorization_days smallint NOT NULL DEFAULT 30
    CONSTRAINT contracts_authorization_days_is_in_range CHECK (
      authorization_days BETWEEN 1 AND 365
    ),
  -- for calls that carry no card, sealed under the money zone's own key, and when each was set.
  -- Those that go with a card are the vault's own copy (vault.contracts)
  credentials_sealed bytea,
  credentials_set jsonb NOT NULL DEFAULT '{}',

  CONSTRAINT contracts_name_once UNIQUE (merchant_account_id, name)
);

ALTER TABLE payment.contracts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.contracts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.contracts TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.contracts TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.contracts TO payment_app;
GRANT UPDATE (
  priority, enabled, methods, currencies, channels, countries, operations, token_types,
  credentials_sealed, credentials_set
) ON payment.contracts TO payment_app;
GRANT SELECT ON payment.contracts TO payment_queue;
