-- Calls to a provider, as each process counted them since it last wrote them down; kept for an hour.
-- Lost with a crash of the database: then a few seconds of calls are not looked at.
CREATE UNLOGGED TABLE payment.health_counts (
  at timestamptz NOT NULL DEFAULT payment.now(),
  provider text NOT NULL,
  seen int NOT NULL,
  bad int NOT NULL,
  slow int NOT NULL
);

CREATE INDEX health_counts_by_time ON payment.health_counts (at);

GRANT SELECT, INSERT, DELETE ON payment.health_counts TO payment_app;
