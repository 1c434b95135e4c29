-- Where accounts are notified.
CREATE TABLE payment.endpoints (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  events text[] NOT NULL,
  state text NOT NULL DEFAULT 'on'
    CONSTRAINT endpoints_state_is_known CHECK (state IN ('on', 'off', 'deleted')),
  -- under the money zone's key
  secret_sealed bytea NOT NULL,
  old_secret_sealed bytea,
  old_secret_until timestamptz,
  failing_since timestamptz,
  probe_at timestamptz NOT NULL DEFAULT '-infinity',
  tests int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT payment.now()
);

CREATE INDEX endpoints_by_account ON payment.endpoints (merchant_account_id, state)
  WHERE state <> 'deleted';

ALTER TABLE payment.endpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.endpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.endpoints TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.endpoints TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.endpoints TO payment_app;
GRANT UPDATE (
  state, secret_sealed, old_secret_sealed, old_secret_until, failing_since, probe_at, tests
) ON payment.endpoints TO payment_app;
GRANT SELECT, UPDATE ON payment.endpoints TO payment_queue;
