-- Credentials of contracts with providers, for calls that carry no card: sealed under the money zone's own key, and when each was set.
-- Those that go with a card are the vault's own copy (vault.contracts).
ALTER TABLE payment.contracts ADD credentials_sealed bytea, ADD credentials_set jsonb NOT NULL DEFAULT '{}';
GRANT UPDATE (credentials_sealed, credentials_set) ON payment.contracts TO payment_app;
