-- Every table of routing rules that was ever in force, with the contracts of its day (docs/decisions/0098).
CREATE TABLE payment.route_versions (
  merchant_account_id payment.id24 NOT NULL,
  version int NOT NULL CONSTRAINT route_versions_version_is_positive CHECK (version > 0),
  rules json NOT NULL,
  rolled_back_to int,
  by_name text NOT NULL
    CONSTRAINT route_versions_by_name_has_a_length CHECK (length(by_name) BETWEEN 1 AND 254),
  note text,
  at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, version)
);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.route_versions
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

ALTER TABLE payment.route_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.route_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.route_versions TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.route_versions TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.route_versions TO payment_app;
