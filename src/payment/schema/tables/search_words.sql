-- People are found by the beginnings of their names and e-mail addresses (docs/decisions/0045). A
-- dictionary, not a row an order: a word of a person leads to the hash by which the orders of that
-- person are found already. Only the worker writes here.
CREATE TABLE payment.search_words (
  merchant_account_id payment.id24 NOT NULL,
  word text COLLATE "C" NOT NULL,
  -- of whom: the hash of their e-mail, or, where an order has none, of their customer_id
  by_email boolean NOT NULL,
  person bigint NOT NULL,

  PRIMARY KEY (merchant_account_id, word, by_email, person)
);

ALTER TABLE payment.search_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.search_words FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.search_words TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.search_words TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT ON payment.search_words TO payment_app;
GRANT SELECT, INSERT ON payment.search_words TO payment_queue;
