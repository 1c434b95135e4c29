-- What is told against a dispute: texts by field, sealed.
CREATE TABLE payment.dispute_evidence (
  dispute_id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  texts_sealed bytea NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT payment.now(),
  updated_by text NOT NULL,

  PRIMARY KEY (merchant_account_id, dispute_id)
);

ALTER TABLE payment.dispute_evidence ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.dispute_evidence FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.dispute_evidence TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.dispute_evidence TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.dispute_evidence TO payment_app;
GRANT UPDATE (texts_sealed, updated_at, updated_by) ON payment.dispute_evidence TO payment_app;
GRANT SELECT, DELETE ON payment.dispute_evidence TO payment_queue;
