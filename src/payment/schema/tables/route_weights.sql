-- Shares that best_of rules had from a moment on (docs/decisions/0113). A choice names its version,
-- so that it can be made again; the newest is among the settings of its account.
CREATE TABLE payment.route_weights (
  merchant_account_id payment.id24 NOT NULL,
  version int NOT NULL CONSTRAINT route_weights_version_is_positive CHECK (version > 0),
  weights json NOT NULL,
  at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, version)
);

CREATE TRIGGER keep BEFORE UPDATE OR TRUNCATE ON payment.route_weights
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

ALTER TABLE payment.route_weights ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.route_weights FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.route_weights TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.route_weights TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.route_weights TO payment_app;
