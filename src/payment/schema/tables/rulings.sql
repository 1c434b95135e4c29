-- What people ruled on operations that nothing else could prove: every word that was said, never
-- changed. Whoever rules twice counts as one person.
CREATE TABLE payment.rulings (
  id bigint GENERATED ALWAYS AS IDENTITY,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  operation_id payment.id24 NOT NULL,
  ruling text NOT NULL CONSTRAINT rulings_ruling_is_known CHECK (ruling IN ('done', 'not-done')),
  reason text NOT NULL
    CONSTRAINT rulings_reason_has_a_length CHECK (length(reason) BETWEEN 1 AND 1000),
  provider_ref text,
  by_name text NOT NULL
    CONSTRAINT rulings_by_name_has_a_length CHECK (length(by_name) BETWEEN 1 AND 254),
  at timestamptz NOT NULL DEFAULT payment.now(),
  -- who ruled, where they proved it; NULL: a name that was given at the command line
  person_id bytea,

  PRIMARY KEY (operation_id, id)
);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.rulings
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

ALTER TABLE payment.rulings ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.rulings FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.rulings TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.rulings TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.rulings TO payment_app;
GRANT SELECT ON payment.rulings TO payment_queue;
