-- When a report is made next, or is due by its schedule. For a sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_report()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT least(
    (
      SELECT min(due_at)
      FROM report_runs
      WHERE due_at > '-infinity'
        AND state = 'waiting'
    ),
    (
      SELECT min(next_at)
      FROM reports
      WHERE next_at > '-infinity'
    )
  )
$$;

ALTER FUNCTION payment.next_report() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_report() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_report() TO payment_app;
