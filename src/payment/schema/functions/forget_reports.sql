-- Takes the bytes of reports that were asked for before this moment; how many reports. For the worker.
CREATE OR REPLACE FUNCTION payment.forget_reports(room int, before timestamptz)
RETURNS int
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH old_runs AS MATERIALIZED (
    SELECT r.merchant_account_id, r.id
    FROM report_runs r
    WHERE r.created_at < before
      AND r.state = 'done'
    LIMIT room
  ),
  deleted AS (
    DELETE FROM report_pieces p
    USING old_runs o
    WHERE p.merchant_account_id = o.merchant_account_id
      AND p.run_id = o.id
    RETURNING 1
  ),
  gone AS (
    UPDATE report_runs r
    SET state = 'gone'
    FROM old_runs o
    WHERE r.merchant_account_id = o.merchant_account_id
      AND r.id = o.id
    RETURNING 1
  )
  SELECT count(*)::int FROM gone
$$;

ALTER FUNCTION payment.forget_reports(int, timestamptz) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_reports(int, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_reports(int, timestamptz) TO payment_app;
