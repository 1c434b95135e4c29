-- Every change of what a provider is given, and why.
CREATE TABLE payment.health_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  from_state text NOT NULL,
  to_state text NOT NULL,
  at timestamptz NOT NULL DEFAULT payment.now(),
  -- what was seen: share of calls, and of which kind
  reason text NOT NULL,
  -- a person who holds it or lets it go
  by_name text
);

CREATE INDEX health_changes_by_time ON payment.health_changes (at);

GRANT SELECT, INSERT ON payment.health_changes TO payment_app;
