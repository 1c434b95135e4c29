-- What a provider took for a movement of an operation, as its own settlement report says it
-- (docs/decisions/0137). Nothing but reports reads it.
CREATE TABLE payment.settled_fees (
  merchant_account_id payment.id24 NOT NULL,
  operation_id payment.id24 NOT NULL,
  -- the provider's own id of the movement: a report that is read twice adds nothing
  entry text NOT NULL
    CONSTRAINT settled_fees_entry_has_a_length CHECK (length(entry) BETWEEN 1 AND 200),
  order_id payment.id24 NOT NULL,
  provider text NOT NULL,
  -- below 0: given back
  fee_minor bigint NOT NULL,
  -- of the provider's balance
  currency char(3) NOT NULL,
  read_at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, operation_id, entry)
);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.settled_fees
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

ALTER TABLE payment.settled_fees ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.settled_fees FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.settled_fees TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.settled_fees TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.settled_fees TO payment_app;
