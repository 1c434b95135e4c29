-- Checkouts that were being paid when their time ended: looked at again until their order has
-- ended.
CREATE TABLE payment.late_checkouts (
  checkout_id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts
);

ALTER TABLE payment.late_checkouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.late_checkouts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.late_checkouts TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.late_checkouts TO payment_queue
  USING (true);

GRANT SELECT ON payment.late_checkouts TO payment_app;
GRANT SELECT, INSERT, DELETE ON payment.late_checkouts TO payment_queue;
