-- Contradictions whose provider is to be asked, each for one worker at a time. For the worker.
CREATE OR REPLACE FUNCTION payment.claim_contradictions(room int, lease interval)
RETURNS TABLE (
  order_id bytea,
  operation_id bytea,
  merchant_account_id bytea,
  tries int
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT c.id
    FROM contradictions c
    WHERE c.state = 'open'
      AND c.due_at <= (SELECT payment.now())
    ORDER BY c.due_at
    LIMIT room
    FOR UPDATE OF c SKIP LOCKED)
  UPDATE contradictions c
  SET tries = c.tries + 1, due_at = payment.now() + lease
  FROM due
  WHERE c.id = due.id
  RETURNING c.order_id, c.operation_id, c.merchant_account_id, c.tries
$$;

ALTER FUNCTION payment.claim_contradictions(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_contradictions(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_contradictions(int, interval) TO payment_app;
