-- An erasure that is due, for one worker at a time. For the worker.
CREATE OR REPLACE FUNCTION payment.claim_erasure(lease interval)
RETURNS TABLE (merchant_account_id bytea, id bytea)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT e.merchant_account_id, e.id
    FROM erasures e
    WHERE e.due_at <= (SELECT payment.now())
      AND e.state = 'waiting'
    ORDER BY e.due_at
    LIMIT 1
    FOR UPDATE OF e SKIP LOCKED
  )
  UPDATE erasures e
  SET due_at = payment.now() + lease
  FROM due
  WHERE e.merchant_account_id = due.merchant_account_id
    AND e.id = due.id
  RETURNING e.merchant_account_id, e.id
$$;

ALTER FUNCTION payment.claim_erasure(interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_erasure(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_erasure(interval) TO payment_app;
