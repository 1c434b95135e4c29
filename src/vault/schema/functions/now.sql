-- The clock of the zone, which a sandbox may move ahead. Defaults and statements ask it.
-- PL/pgSQL keeps its plan; a function in SQL would be planned by each statement that calls it. Every
-- row asks it: read INTO a variable it takes two thirds of what it takes as one expression.
CREATE OR REPLACE FUNCTION vault.now()
RETURNS timestamptz
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  moved_by interval;
BEGIN
  SELECT shift INTO moved_by FROM vault.clock;
  RETURN clock_timestamp() + moved_by;
END
$$;
