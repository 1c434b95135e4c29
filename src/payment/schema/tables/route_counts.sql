-- First attempts that best_of rules decided, by the hour of their order (of Unix time) and by what
-- they are compared on; counted anew from the orders while these are young.
CREATE TABLE payment.route_counts (
  merchant_account_id payment.id24 NOT NULL,
  hour int NOT NULL,
  rule text NOT NULL,
  -- the version in which the rule's target last changed
  since int NOT NULL,
  cell text NOT NULL,
  contract_id payment.id24 NOT NULL,
  -- of the control group
  controlled boolean NOT NULL,
  tried int NOT NULL,
  approved int NOT NULL,
  amount_minor numeric NOT NULL,

  CONSTRAINT route_counts_add_up CHECK (approved BETWEEN 0 AND tried),
  PRIMARY KEY (merchant_account_id, hour, rule, since, cell, contract_id, controlled)
);

ALTER TABLE payment.route_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.route_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.route_counts TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.route_counts TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.route_counts TO payment_app;
