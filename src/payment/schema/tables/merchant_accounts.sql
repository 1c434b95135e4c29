-- Merchant accounts. The risk rules in force are among the settings.
CREATE TABLE payment.merchant_accounts (
  merchant_account_id payment.id24 PRIMARY KEY,
  name text NOT NULL,
  settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT payment.now()
);

ALTER TABLE payment.merchant_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.merchant_accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.merchant_accounts TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.merchant_accounts TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.merchant_accounts TO payment_app;
GRANT UPDATE (name, settings) ON payment.merchant_accounts TO payment_app;
GRANT SELECT ON payment.merchant_accounts TO payment_queue;
