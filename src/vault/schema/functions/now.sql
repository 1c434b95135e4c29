-- The clock of the zone, which a sandbox may move ahead. Defaults and statements ask it.
CREATE OR REPLACE FUNCTION vault.now()
RETURNS timestamptz
LANGUAGE sql VOLATILE
AS $$
  SELECT clock_timestamp() + shift FROM vault.clock
$$;
