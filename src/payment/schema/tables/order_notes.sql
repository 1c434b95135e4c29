-- What people of the account wrote about an order, for each other. The audit says who wrote and who
-- removed one, not what it said.
CREATE TABLE payment.order_notes (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  person_id payment.id24 NOT NULL,
  by_name text NOT NULL,
  text text NOT NULL
    CONSTRAINT order_notes_text_has_a_length CHECK (length(text) BETWEEN 3 AND 2000),
  created_at timestamptz NOT NULL,

  PRIMARY KEY (merchant_account_id, order_id, id)
);

ALTER TABLE payment.order_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_notes TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());

GRANT SELECT, INSERT, DELETE ON payment.order_notes TO payment_app;
