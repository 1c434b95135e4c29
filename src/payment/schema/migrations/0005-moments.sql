-- Each source of work has a function of its own, and what is kept how long is said by the caller: the
-- functions with the old arguments go.
DROP FUNCTION IF EXISTS payment.next_due(text);
DROP FUNCTION IF EXISTS payment.forget_sightings(int);
