-- An attempt that was let through, by each subject that a rule counts.
CREATE TABLE payment.risk_sightings (
  merchant_account_id payment.id24 NOT NULL,
  subject bytea NOT NULL
    CONSTRAINT risk_sightings_subject_is_16_bytes CHECK (octet_length(subject) = 16),
  at timestamptz NOT NULL,
  transaction_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  amount_minor bigint NOT NULL,
  currency char(3) NOT NULL,

  PRIMARY KEY (merchant_account_id, subject, at, transaction_id)
);

CREATE INDEX risk_sightings_age ON payment.risk_sightings (at);

ALTER TABLE payment.risk_sightings ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.risk_sightings FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.risk_sightings TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.risk_sightings TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.risk_sightings TO payment_app;
GRANT SELECT, DELETE ON payment.risk_sightings TO payment_queue;
