-- The bytes of reports, sealed piece by piece.
CREATE TABLE payment.report_pieces (
  merchant_account_id payment.id24 NOT NULL,
  run_id payment.id24 NOT NULL,
  n int NOT NULL,
  sealed bytea NOT NULL,

  PRIMARY KEY (merchant_account_id, run_id, n)
);

ALTER TABLE payment.report_pieces ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.report_pieces FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.report_pieces TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.report_pieces TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.report_pieces TO payment_app;
GRANT SELECT, DELETE ON payment.report_pieces TO payment_queue;
