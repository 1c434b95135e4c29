-- What a customer has paid with, and how often.
CREATE TABLE payment.customer_methods (
  merchant_account_id payment.id24 NOT NULL,
  customer_id text NOT NULL,
  name text NOT NULL,
  uses int NOT NULL CONSTRAINT customer_methods_uses_is_positive CHECK (uses > 0),
  last_used_at timestamptz NOT NULL,

  PRIMARY KEY (merchant_account_id, customer_id, name)
) WITH (fillfactor = 80);

ALTER TABLE payment.customer_methods ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.customer_methods FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.customer_methods TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.customer_methods TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.customer_methods TO payment_app;
GRANT UPDATE (uses, last_used_at) ON payment.customer_methods TO payment_app;
