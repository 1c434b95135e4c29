-- Makes the days of the request log that are to come, and drops those that are older than it is kept
-- for: a whole partition at once, so that no rows are deleted one by one. 0 days: all are dropped.
CREATE OR REPLACE FUNCTION payment.keep_request_log(days int)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  wanted date;
  name text;
BEGIN
  -- one process at a time: the others find it done
  PERFORM pg_advisory_xact_lock(hashtext('payment.keep_request_log'));
  FOR name IN
    SELECT c.relname
    FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'payment.request_log'::regclass
  LOOP
    IF days = 0 OR to_date(right(name, 8), 'YYYYMMDD') < today - days THEN
      EXECUTE format('DROP TABLE payment.%I', name);
    END IF;
  END LOOP;
  IF days = 0 THEN
    RETURN;
  END IF;
  FOR wanted IN SELECT today + n FROM generate_series(0, 2) n LOOP
    name := 'request_log_' || to_char(wanted, 'YYYYMMDD');
    PERFORM make_part(
      'request_log', name, wanted::text || ' 00:00+00', (wanted + 1)::text || ' 00:00+00');
  END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION payment.keep_request_log(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.keep_request_log(int) TO payment_app;
