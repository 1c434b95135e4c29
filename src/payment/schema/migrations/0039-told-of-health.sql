-- What accounts read of a hold is not what the operator writes of it.
ALTER TABLE payment.health_changes
  -- what accounts read; NULL: the reason
  ADD COLUMN told text;

\ir ../functions/tell_health.sql
