-- What developers look into: requests and answers, masked, by day. A key is known by its id there, so
-- who finds the account of a key is told it.
\ir ../tables/request_log.sql

DROP FUNCTION IF EXISTS payment.account_of_key(bytea);
