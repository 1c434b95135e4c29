-- The function is told from which number on a rule has something to say; a host of the version before
-- calls it without.
DROP FUNCTION IF EXISTS payment.risk_seen(bytea, bytea, text, int, char, timestamptz);
