-- An order of a customer that is not counted yet: written in the commit that accepts the order,
-- deleted in the commit that counts it (docs/decisions/0023).
CREATE TABLE payment.customer_orders (
  merchant_account_id payment.id24 NOT NULL,
  customer_id text NOT NULL,
  order_id payment.id24 NOT NULL,
  token_hash bytea NOT NULL
    CONSTRAINT customer_orders_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32),
  -- the order is to save its card
  token_sealed bytea,
  created_at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, customer_id, order_id, token_hash)
);

ALTER TABLE payment.customer_orders ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.customer_orders FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.customer_orders TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.customer_orders TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.customer_orders TO payment_app;
GRANT UPDATE (token_sealed) ON payment.customer_orders TO payment_app;
GRANT SELECT ON payment.customer_orders TO payment_queue;
