-- A narrow row for every order; customer and e-mail are hashes. Nothing here is written by a
-- request.
CREATE TABLE payment.order_search (
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  class_id int NOT NULL,
  last4 smallint,
  amount_minor bigint NOT NULL,
  customer bigint,
  email bigint,

  PRIMARY KEY (merchant_account_id, order_id)
);

CREATE INDEX order_search_by_class ON payment.order_search (class_id, order_id)
  INCLUDE (merchant_account_id, amount_minor);

CREATE INDEX order_search_by_amount
  ON payment.order_search (merchant_account_id, amount_minor, order_id)
  INCLUDE (class_id);

CREATE INDEX order_search_by_customer
  ON payment.order_search (merchant_account_id, customer, order_id)
  INCLUDE (class_id, amount_minor)
  WHERE customer IS NOT NULL;

CREATE INDEX order_search_by_email ON payment.order_search (merchant_account_id, email, order_id)
  INCLUDE (class_id, amount_minor)
  WHERE email IS NOT NULL;

CREATE INDEX order_search_by_last4 ON payment.order_search (merchant_account_id, last4, order_id)
  INCLUDE (class_id, amount_minor)
  WHERE last4 IS NOT NULL;

ALTER TABLE payment.order_search ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_search FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_search TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.order_search TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT ON payment.order_search TO payment_app;
GRANT SELECT, INSERT, UPDATE ON payment.order_search TO payment_queue;
