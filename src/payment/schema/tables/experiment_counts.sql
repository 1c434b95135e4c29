-- Orders of an experiment that are decided, by group and by the hour in which they were made (of
-- Unix time); counted anew from the orders while these are young.
CREATE TABLE payment.experiment_counts (
  merchant_account_id payment.id24 NOT NULL,
  number int NOT NULL,
  arm text NOT NULL CONSTRAINT experiment_counts_arm_is_known CHECK (arm IN ('a', 'b')),
  hour int NOT NULL,
  decided int NOT NULL,
  approved int NOT NULL,

  CONSTRAINT experiment_counts_add_up CHECK (approved BETWEEN 0 AND decided),
  PRIMARY KEY (merchant_account_id, number, hour, arm)
);

ALTER TABLE payment.experiment_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.experiment_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.experiment_counts TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.experiment_counts TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.experiment_counts TO payment_app;
