-- Orders by when they were made and one thing that they have in common, by what they are now
-- (docs/decisions/0102). Hours are those of Unix time; a day of 24 of them is kept as well, so that
-- a quarter of a year is some ninety rows a name.
CREATE TABLE payment.order_sums (
  merchant_account_id payment.id24 NOT NULL,
  facet text NOT NULL
    CONSTRAINT order_sums_facet_is_known
    CHECK (facet IN ('all', 'provider', 'scheme', 'country', 'reason', 'tries')),
  -- how long it is: 1 or 24
  hours smallint NOT NULL CONSTRAINT order_sums_hour_or_day CHECK (hours IN (1, 24)),
  -- the number of the hour or day
  at int NOT NULL,
  currency char(3) NOT NULL,
  -- of the facet; '' where an order has none, and for all
  name text NOT NULL,
  -- orders by what became of them (outcome_of): each is in one of these
  captured int NOT NULL,
  refunded int NOT NULL,
  authorized int NOT NULL,
  released int NOT NULL,
  declined int NOT NULL,
  open int NOT NULL,
  -- of those that were approved: the first four
  approved_minor numeric NOT NULL,

  -- with what is read: rows of a facet lie scattered in the table, and together here
  PRIMARY KEY (merchant_account_id, facet, hours, at, currency, name)
    INCLUDE (captured, refunded, authorized, released, declined, open, approved_minor)
);

ALTER TABLE payment.order_sums ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_sums FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_sums TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.order_sums TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT ON payment.order_sums TO payment_app;
GRANT SELECT, INSERT, UPDATE ON payment.order_sums TO payment_queue;
