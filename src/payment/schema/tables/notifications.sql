-- What is to be told, to which endpoint: written by the commit of the event, as it stands in that
-- commit. The row is the queue, the history, and what is shown.
CREATE TABLE payment.notifications (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  endpoint_id payment.id24 NOT NULL,
  subject_id payment.id24 NOT NULL,
  order_id payment.id24,
  event text NOT NULL,
  sequence int NOT NULL,
  previous_sequence int,
  facts json NOT NULL,
  -- made of the facts before the first try, and the same ever after
  body text,
  state text NOT NULL DEFAULT 'waiting'
    CONSTRAINT notifications_state_is_known CHECK (state IN ('waiting', 'delivered', 'parked')),
  tries int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  -- by the schedule
  next_at timestamptz NOT NULL,
  -- when it is taken: by the schedule, earlier when its endpoint is well again, later behind
  -- another of its order
  due_at timestamptz NOT NULL,
  -- by the machine's clock: a sandbox's clock that leaps ends no lease
  leased_until timestamptz,
  last_status smallint,
  last_error text,
  duration_ms int,
  -- from when on a success at its endpoint may bring it forward again: one that the receiver never
  -- takes, while it takes all others, is not sent with each of them. NULL: it was not brought
  -- forward yet
  free_from timestamptz,

  PRIMARY KEY (merchant_account_id, id)
) WITH (fillfactor = 70);

CREATE UNIQUE INDEX notifications_in_order
  ON payment.notifications (endpoint_id, subject_id, sequence);

CREATE INDEX notifications_due ON payment.notifications (endpoint_id, due_at)
  WHERE state = 'waiting';

-- the first that waits of each order
CREATE INDEX notifications_heads ON payment.notifications (endpoint_id, subject_id, sequence)
  WHERE state = 'waiting';

CREATE INDEX notifications_leased ON payment.notifications (endpoint_id)
  WHERE leased_until IS NOT NULL;

-- lists, each from an index that has its order too
CREATE INDEX notifications_of_order ON payment.notifications (merchant_account_id, order_id, id)
  WHERE order_id IS NOT NULL;

CREATE INDEX notifications_undelivered ON payment.notifications (merchant_account_id, state, id)
  WHERE state <> 'delivered';

CREATE INDEX notifications_of_endpoint
  ON payment.notifications (merchant_account_id, endpoint_id, id);

CREATE INDEX notifications_of_event ON payment.notifications (merchant_account_id, event, id);

-- what is parked of one endpoint, to be sent again
CREATE INDEX notifications_parked ON payment.notifications (endpoint_id, id) WHERE state = 'parked';

ALTER TABLE payment.notifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.notifications FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.notifications TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.notifications TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.notifications TO payment_app;
GRANT UPDATE (
  body, state, tries, next_at, due_at, leased_until, last_status, last_error, duration_ms, free_from
) ON payment.notifications TO payment_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON payment.notifications TO payment_queue;
