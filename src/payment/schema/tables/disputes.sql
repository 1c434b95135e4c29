-- What a payer's bank takes back of a capture: flags and members of the order, never its status.
CREATE TABLE payment.disputes (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  operation_id payment.id24 NOT NULL,
  provider text NOT NULL,
  state text NOT NULL CONSTRAINT disputes_state_is_known CHECK (state IN ('opened', 'won', 'lost')),
  amount_minor bigint NOT NULL CONSTRAINT disputes_amount_is_positive CHECK (amount_minor > 0),
  currency char(3) NOT NULL,
  reason text NOT NULL,
  reason_code text NOT NULL,
  opened_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT payment.now(),
  -- when its provider last said something new of it; what is older comes late
  told_at timestamptz,
  -- a capture may be disputed again after a dispute that was won: each is a row, and a posting, of
  -- its own
  round smallint NOT NULL DEFAULT 1,

  CONSTRAINT one_of_a_round UNIQUE (order_id, operation_id, round)
);

-- disputed orders are found and listed by their account
CREATE INDEX disputes_of_account ON payment.disputes (merchant_account_id, order_id);

CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.disputes
  FOR EACH ROW WHEN (OLD.state = 'won' AND NEW.state <> 'won')
  EXECUTE FUNCTION payment.refuse('state change');

ALTER TABLE payment.disputes ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.disputes FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.disputes TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.disputes TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.disputes TO payment_app;
GRANT UPDATE (state, reason, reason_code, updated_at, told_at) ON payment.disputes TO payment_app;
GRANT SELECT ON payment.disputes TO payment_queue;
