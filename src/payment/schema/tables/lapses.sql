-- Authorizations whose time is over but of which something is undecided: looked at again.
CREATE TABLE payment.lapses (
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  due_at timestamptz NOT NULL,

  PRIMARY KEY (merchant_account_id, order_id)
);

CREATE INDEX lapses_due ON payment.lapses (due_at);

ALTER TABLE payment.lapses ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.lapses FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.lapses TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.lapses TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.lapses TO payment_app;
GRANT UPDATE (due_at) ON payment.lapses TO payment_app;
GRANT SELECT ON payment.lapses TO payment_queue;
