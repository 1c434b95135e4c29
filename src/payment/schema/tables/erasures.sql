-- Requests of persons to be erased: by which customer_id until it is done, and then how much there was.
CREATE TABLE payment.erasures (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  -- NULL: it is done, and whom it was about is not kept
  customer_id text,
  state text NOT NULL DEFAULT 'waiting'
    CONSTRAINT erasures_state_is_known CHECK (state IN ('waiting', 'done')),
  -- the last checkout that was looked through
  seen_to payment.id24,
  orders int NOT NULL DEFAULT 0,
  checkouts int NOT NULL DEFAULT 0,
  cards int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT payment.now(),
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT payment.now(),
  ended_at timestamptz,

  CONSTRAINT erasures_forgets_whom CHECK ((state = 'done') = (customer_id IS NULL)),
  PRIMARY KEY (merchant_account_id, id)
);

CREATE INDEX erasures_due ON payment.erasures (due_at) WHERE state = 'waiting';

ALTER TABLE payment.erasures ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.erasures FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.erasures TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.erasures TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.erasures TO payment_app;
GRANT UPDATE (customer_id, state, seen_to, orders, checkouts, cards, due_at, ended_at)
  ON payment.erasures TO payment_app;
GRANT SELECT, UPDATE (due_at) ON payment.erasures TO payment_queue;
