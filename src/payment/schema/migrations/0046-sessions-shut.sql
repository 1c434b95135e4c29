-- An account that ends a session of one of its people ends it for itself alone.
ALTER TABLE payment.sessions
  -- accounts that this session does not enter any more
  ADD COLUMN shut_accounts bytea[] NOT NULL DEFAULT '{}';

GRANT UPDATE (shut_accounts) ON payment.sessions TO payment_app;
