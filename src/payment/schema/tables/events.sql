-- Outbox and history of an order, a checkout or a customer: `seq` has no gaps within a subject.
CREATE TABLE payment.events (
  subject_id payment.id24 NOT NULL,
  seq int NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  type text NOT NULL,
  code text,
  request_id payment.id24,
  order_version int,
  -- NULL if nobody wants it
  payload json,
  at timestamptz NOT NULL DEFAULT payment.now(),
  -- what the event tells of
  operation_id payment.id24,
  -- a status passed through inside a request, which is history and nobody's event
  silent boolean NOT NULL DEFAULT false,
  -- whether the account had an endpoint; a statement that does not know leaves it to the trigger
  heard boolean NOT NULL DEFAULT true,
  -- the transaction that wrote it: the search follows events in the order in which they can no
  -- longer change
  tx bigint DEFAULT pg_current_xact_id()::text::bigint,

  PRIMARY KEY (subject_id, seq)
);

CREATE INDEX events_by_tx ON payment.events USING brin (tx)
  WITH (pages_per_range = 32, autosummarize = on);

-- an event is told by the commit that makes it true
CREATE TRIGGER fan_out AFTER INSERT ON payment.events
  FOR EACH ROW WHEN (NEW.heard AND NOT NEW.silent AND NEW.type <> 'created')
  EXECUTE FUNCTION payment.fan_out();

ALTER TABLE payment.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.events FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.events TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.events TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.events TO payment_app;
GRANT SELECT, INSERT ON payment.events TO payment_queue;
