-- Later tries of payments without a payer (docs/decisions/0112): one row for each order whose policy
-- a decline has put to work. It stays when it has ended: it says what came of it.
CREATE TABLE payment.retries (
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  policy text NOT NULL,
  -- running: a later try is under way, or what became of it is not known
  state text NOT NULL CONSTRAINT retries_state_is_known CHECK (
    state IN ('waiting', 'running', 'ended')
  ),
  -- later tries that were begun
  tries smallint NOT NULL DEFAULT 0,
  -- why it is tried again: advice, funds, technical, generic; of the last decline that says so
  cause text,
  next_at timestamptz,
  -- no try begins after it
  until timestamptz NOT NULL,
  began_at timestamptz NOT NULL,
  ending text,
  ended_at timestamptz,
  -- when a worker looks at it next
  due_at timestamptz,

  PRIMARY KEY (merchant_account_id, order_id),
  CONSTRAINT retries_waits_for_a_moment CHECK ((state = 'waiting') = (next_at IS NOT NULL)),
  CONSTRAINT retries_is_looked_at_until_it_ends CHECK ((state = 'ended') = (due_at IS NULL)),
  CONSTRAINT retries_ends_for_a_reason CHECK (
    (state = 'ended') = (ending IS NOT NULL) AND (state = 'ended') = (ended_at IS NOT NULL)
  )
);

CREATE INDEX retries_due ON payment.retries (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX retries_planned ON payment.retries (merchant_account_id, due_at)
  WHERE due_at IS NOT NULL;

CREATE INDEX retries_ended ON payment.retries (merchant_account_id, ended_at)
  WHERE ended_at IS NOT NULL;

ALTER TABLE payment.retries ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.retries FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.retries TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.retries TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.retries TO payment_app;
GRANT UPDATE (state, tries, cause, next_at, ending, ended_at, due_at)
  ON payment.retries TO payment_app;
GRANT SELECT, UPDATE ON payment.retries TO payment_queue;
