-- The captures and refunds that settlement files had a line of, by the names that the provider gives to the
-- line: another line of the same one, also in a later file, settles it once more (docs/decisions/0180).
CREATE TABLE payment.settled_lines (
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  provider text NOT NULL,
  -- capture, refund
  what text NOT NULL,
  -- as the provider knows the operation
  reference payment.id24 NOT NULL,
  -- the refund came back
  sent_back boolean NOT NULL,
  -- the provider's own id of it
  provider_ref text NOT NULL,
  -- the provider's own id of the movement, as its fee has it; empty: the file does not say
  entry text NOT NULL,
  -- the file that had it first, without its folder
  source text NOT NULL,
  read_at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (
    merchant_account_id, order_id, provider, what, reference, sent_back, provider_ref, entry)
);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.settled_lines
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

ALTER TABLE payment.settled_lines ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.settled_lines FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.settled_lines TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());

GRANT SELECT, INSERT ON payment.settled_lines TO payment_app;
