-- Orders by the hour in which they were made (of Unix time), by what they are now.
CREATE TABLE payment.order_hours (
  merchant_account_id payment.id24 NOT NULL,
  hour int NOT NULL,
  class_id int NOT NULL,
  orders int NOT NULL,
  amount_minor numeric NOT NULL,

  PRIMARY KEY (merchant_account_id, hour, class_id)
) WITH (fillfactor = 50);

ALTER TABLE payment.order_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_hours FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_hours TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.order_hours TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT ON payment.order_hours TO payment_app;
GRANT SELECT, INSERT, UPDATE ON payment.order_hours TO payment_queue;
