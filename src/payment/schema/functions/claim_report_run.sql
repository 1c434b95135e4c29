-- A report that is to be made, for one worker at a time. For the worker.
CREATE OR REPLACE FUNCTION payment.claim_report_run(lease interval)
RETURNS TABLE (merchant_account_id bytea, id bytea)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT r.merchant_account_id, r.id
    FROM report_runs r
    WHERE r.due_at <= (SELECT payment.now())
      AND r.state = 'waiting'
    ORDER BY r.due_at
    LIMIT 1
    FOR UPDATE OF r SKIP LOCKED
  )
  UPDATE report_runs r
  SET tries = r.tries + 1, due_at = payment.now() + lease
  FROM due
  WHERE r.merchant_account_id = due.merchant_account_id
    AND r.id = due.id
  RETURNING r.merchant_account_id, r.id
$$;

ALTER FUNCTION payment.claim_report_run(interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_report_run(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_report_run(interval) TO payment_app;
