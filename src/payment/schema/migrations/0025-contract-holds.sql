-- A person may hold a contract of their own account: open or closed, until a moment or until it is
-- let go (infinity).
ALTER TABLE payment.contracts
  ADD COLUMN held text CONSTRAINT contracts_held_is_known CHECK (held IN ('open', 'closed')),
  ADD COLUMN held_until timestamptz;

CREATE INDEX contracts_held ON payment.contracts (held_until) WHERE held IS NOT NULL;

GRANT UPDATE (held, held_until) ON payment.contracts TO payment_app;
GRANT UPDATE (held, held_until) ON payment.contracts TO payment_queue;
GRANT INSERT ON payment.health_changes TO payment_queue;

\ir ../functions/contract_holds.sql
