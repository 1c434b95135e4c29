-- The clock of the zone, which a sandbox may move ahead. Defaults, functions and statements ask it.
CREATE OR REPLACE FUNCTION payment.now()
RETURNS timestamptz
LANGUAGE sql VOLATILE
AS $$
  SELECT clock_timestamp() + shift FROM payment.clock
$$;
