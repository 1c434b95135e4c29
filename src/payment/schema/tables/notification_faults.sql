-- A sandbox's faults of our own sending; those of providers stand at the simulated one.
CREATE TABLE payment.notification_faults (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  fault text NOT NULL
    CONSTRAINT notification_faults_fault_is_known CHECK (fault IN (
      'refuse_connection', 'timeout_not_taken', 'timeout_taken', 'http_500_before', 'http_500_after'
    )),
  times smallint NOT NULL
    CONSTRAINT notification_faults_times_is_in_range CHECK (times BETWEEN 1 AND 100),
  remaining smallint NOT NULL
    CONSTRAINT notification_faults_remaining_is_in_range CHECK (remaining BETWEEN 0 AND 100),
  match jsonb NOT NULL,

  PRIMARY KEY (merchant_account_id, id)
);

ALTER TABLE payment.notification_faults ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.notification_faults FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.notification_faults TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());

GRANT SELECT, INSERT, DELETE ON payment.notification_faults TO payment_app;
GRANT UPDATE (remaining) ON payment.notification_faults TO payment_app;
