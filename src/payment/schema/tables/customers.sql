-- Customers of an account. A token is kept sealed under the money zone's own key, because it is
-- listed to its merchant; everywhere else its SHA-256 stands for it.
CREATE TABLE payment.customers (
  merchant_account_id payment.id24 NOT NULL,
  customer_id text NOT NULL
    CONSTRAINT customers_customer_id_has_a_length CHECK (length(customer_id) BETWEEN 1 AND 255),
  id payment.id24 NOT NULL,
  browser jsonb NOT NULL DEFAULT '{}',
  ip text,
  version int NOT NULL DEFAULT 0,
  next_seq int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT payment.now(),
  updated_at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, customer_id)
) WITH (fillfactor = 80);

ALTER TABLE payment.customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.customers FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.customers TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.customers TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.customers TO payment_app;
GRANT UPDATE (browser, ip, version, next_seq, updated_at) ON payment.customers TO payment_app;
