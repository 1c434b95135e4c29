-- What a merchant pays under a contract, as they stated it, from a day (of UTC) on: every table that
-- was ever stated. Of several that have begun, the one of the latest day holds, and of these the
-- latest version (docs/decisions/0124).
CREATE TABLE payment.contract_fees (
  merchant_account_id payment.id24 NOT NULL,
  contract_id payment.id24 NOT NULL REFERENCES payment.contracts,
  version int NOT NULL CONSTRAINT contract_fees_version_is_positive CHECK (version > 0),
  valid_from date NOT NULL,
  fees json NOT NULL,
  by_name text NOT NULL
    CONSTRAINT contract_fees_by_name_has_a_length CHECK (length(by_name) BETWEEN 1 AND 254),
  note text,
  at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, contract_id, version)
);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.contract_fees
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

ALTER TABLE payment.contract_fees ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.contract_fees FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.contract_fees TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.contract_fees TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.contract_fees TO payment_app;
