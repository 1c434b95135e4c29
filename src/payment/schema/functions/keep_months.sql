-- Makes the parts of this month and of those ahead, of each table that is parted by month, and the
-- months of what came while there was none for it; drops months of sightings that no rule looks at
-- any more. What waits a second for a lock is left for the next time. For the worker.
CREATE OR REPLACE FUNCTION payment.keep_months(ahead int, keep_sightings interval)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
SET lock_timeout = '1s'
AS $$
DECLARE
  month timestamp := date_trunc('month', payment.now() AT TIME ZONE 'UTC');
  waiting record;
  old text;
BEGIN
  -- one process at a time: the others find it done
  PERFORM pg_advisory_xact_lock(hashtext('payment.keep_months'));
  FOR n IN 0 .. ahead LOOP
    PERFORM make_month('observations', month + make_interval(months => n));
    PERFORM make_month('risk_sightings', month + make_interval(months => n));
  END LOOP;
  LOOP
    SELECT x.whole, date_trunc('month', x.at AT TIME ZONE 'UTC') AS month INTO waiting
    FROM (
      (SELECT 'observations', id_moment(o.transaction_id) FROM observations_default o LIMIT 1)
      UNION ALL
      (SELECT 'risk_sightings', s.at FROM risk_sightings_default s LIMIT 1)
    ) x (whole, at)
    LIMIT 1;
    EXIT WHEN NOT FOUND;
    PERFORM make_month(waiting.whole, waiting.month);
  END LOOP;
  FOR old IN
    SELECT m.part
    FROM months_of('risk_sightings') m
    WHERE m.ends AT TIME ZONE 'UTC' < payment.now() - keep_sightings
  LOOP
    EXECUTE format('DROP TABLE %I', old);
  END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION payment.keep_months(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.keep_months(int, interval) TO payment_app;
