-- Requests and answers of the API, and tries of notifications, masked: a tool for developers, and no
-- record that anything rests on. A row is a page: what one process has gathered of one account in a
-- moment, compressed. A partition holds a day (keep_request_log).
CREATE TABLE payment.request_log (
  merchant_account_id payment.id24 NOT NULL,
  -- when it was written, by the machine's clock: a sandbox's clock that leaps moves nobody's requests
  at timestamptz NOT NULL,
  -- of the first request in it
  id payment.id24 NOT NULL,
  -- there is one in it that was refused, or not answered
  refused boolean NOT NULL,
  -- that its requests were about
  orders bytea[] NOT NULL,
  -- raw DEFLATE: what each is found by, and beside it headers, request and answer
  facts bytea NOT NULL,
  bodies bytea NOT NULL,

  PRIMARY KEY (merchant_account_id, at, id)
) PARTITION BY RANGE (at);

CREATE INDEX request_log_orders ON payment.request_log USING gin (orders);

ALTER TABLE payment.request_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.request_log FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.request_log TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.request_log TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT ON payment.request_log TO payment_app;
GRANT INSERT ON payment.request_log TO payment_queue;
