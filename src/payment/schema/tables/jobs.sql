-- How far the jobs of time have come.
CREATE TABLE payment.jobs (
  name text PRIMARY KEY,
  position bytea,
  at timestamptz
);

GRANT SELECT, INSERT, UPDATE ON payment.jobs TO payment_app;
GRANT SELECT ON payment.jobs TO payment_queue;
