-- The circuit breaker of each provider. One without a row is well.
CREATE TABLE payment.providers (
  name text PRIMARY KEY,
  health text NOT NULL DEFAULT 'closed'
    CONSTRAINT providers_health_is_known CHECK (health IN ('closed', 'open')),
  next_probe_at timestamptz NOT NULL DEFAULT '-infinity',
  -- sandbox: what the simulated bank signs its messages with
  message_secret text
);

GRANT SELECT, INSERT, UPDATE ON payment.providers TO payment_app;
GRANT SELECT ON payment.providers TO payment_queue;
