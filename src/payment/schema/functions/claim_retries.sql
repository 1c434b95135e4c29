-- Orders whose later try is due, or of which one is under way for long, each for one worker at a
-- time. For the worker.
CREATE OR REPLACE FUNCTION payment.claim_retries(room int, lease interval)
RETURNS TABLE (merchant_account_id bytea, order_id bytea)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT r.merchant_account_id, r.order_id
    FROM retries r
    WHERE r.due_at <= (SELECT payment.now())
    ORDER BY r.due_at
    LIMIT room
    FOR UPDATE OF r SKIP LOCKED
  )
  UPDATE retries r
  SET due_at = payment.now() + lease
  FROM due
  WHERE r.merchant_account_id = due.merchant_account_id
    AND r.order_id = due.order_id
  RETURNING r.merchant_account_id, r.order_id
$$;

ALTER FUNCTION payment.claim_retries(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_retries(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_retries(int, interval) TO payment_app;
