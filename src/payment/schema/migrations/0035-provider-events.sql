-- Accounts are told when new payments do not go to a contract as usual, and when they do again; and a
-- hold of a whole provider ends by itself.
ALTER TABLE payment.contracts
  -- its account was told so, and not yet of the end
  ADD COLUMN left_alone boolean NOT NULL DEFAULT false;

ALTER TABLE payment.providers
  -- NULL: until it is let go
  ADD COLUMN held_until timestamptz;

CREATE INDEX contracts_by_provider ON payment.contracts (provider) WHERE enabled;

GRANT UPDATE (left_alone) ON payment.contracts TO payment_queue;
GRANT UPDATE (held, held_until) ON payment.providers TO payment_queue;

\ir ../functions/tell_health.sql
\ir ../functions/contract_holds.sql

CREATE TRIGGER tell_health
  AFTER INSERT ON payment.health_changes
  FOR EACH ROW EXECUTE FUNCTION payment.tell_health();
