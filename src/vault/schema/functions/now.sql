-- The clock of the zone, which a sandbox may move ahead. Defaults and statements ask it.
-- PL/pgSQL keeps its plan; a function in SQL would be planned by each statement that calls it.
CREATE OR REPLACE FUNCTION vault.now()
RETURNS timestamptz
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN (SELECT clock_timestamp() + shift FROM vault.clock);
END
$$;
