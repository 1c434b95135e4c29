-- A statement keeps the plan of its first run on a connection until the statistics of its tables
-- change. On a fresh or a restored database that is minutes away (autovacuum_naptime), and a plan
-- for empty tables reads full ones from end to end. Analyzes the one table that needs it most, and
-- tells whether there was one. For the service, from time to time.
CREATE OR REPLACE FUNCTION vault.analyze_grown(least_changes bigint)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = vault, pg_temp
AS $$
DECLARE
  grown regclass;
BEGIN
  -- one process at a time: the others find it done
  IF NOT pg_try_advisory_xact_lock(hashtext('vault.analyze_grown')) THEN
    RETURN false;
  END IF;
  SELECT s.relid INTO grown
  FROM pg_stat_user_tables s
  JOIN pg_class c ON c.oid = s.relid
  WHERE s.schemaname = 'vault'
    AND (s.n_mod_since_analyze >= least_changes AND s.n_mod_since_analyze > c.reltuples
      -- restored, or its counters are lost; smaller ones are planned for as if they had ten pages
      OR c.reltuples < 0 AND pg_relation_size(c.oid) > 10 * current_setting('block_size')::integer)
  ORDER BY s.n_mod_since_analyze DESC
  LIMIT 1;
  IF grown IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('ANALYZE %s', grown);
  RETURN true;
END
$$;

REVOKE EXECUTE ON FUNCTION vault.analyze_grown(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION vault.analyze_grown(bigint) TO vault_app;
