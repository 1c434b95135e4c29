-- Makes the parts of this month and of those ahead, of the table that is parted by month, and the
-- months of what came while there was none for it. What waits a second for a lock is left for the
-- next time. For the worker, and for florin archive.
CREATE OR REPLACE FUNCTION payment.keep_months(ahead int)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  month timestamp := date_trunc('month', payment.now() AT TIME ZONE 'UTC');
  waiting bytea;
BEGIN
  -- one process at a time: the others find it done
  PERFORM pg_advisory_xact_lock(hashtext('payment.keep_months'));
  FOR n IN 0 .. ahead LOOP
    PERFORM make_month('observations', month + make_interval(months => n));
  END LOOP;
  LOOP
    SELECT o.transaction_id INTO waiting FROM observations_default o LIMIT 1;
    EXIT WHEN NOT FOUND;
    PERFORM make_month('observations', date_trunc('month', id_moment(waiting) AT TIME ZONE 'UTC'));
  END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION payment.keep_months(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.keep_months(int) TO payment_app;
