-- Authentications that are due, each for one worker at a time. For the worker.
CREATE OR REPLACE FUNCTION payment.claim_authentications(room int, lease interval)
RETURNS TABLE (
  merchant_account_id bytea,
  order_id bytea,
  transaction_id bytea,
  tries int
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT a.order_id, a.transaction_id
    FROM authentications a
    WHERE a.state IN ('requested', 'method', 'challenge')
      AND a.due_at <= (SELECT payment.now())
      -- the operation of such a one is what becomes due
      AND NOT a.provider_run
    ORDER BY a.due_at
    LIMIT room
    FOR UPDATE OF a SKIP LOCKED
  )
  UPDATE authentications a
  SET tries = a.tries + 1, due_at = payment.now() + lease
  FROM due
  WHERE a.order_id = due.order_id
    AND a.transaction_id = due.transaction_id
  RETURNING a.merchant_account_id, a.order_id, a.transaction_id, a.tries
$$;

ALTER FUNCTION payment.claim_authentications(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_authentications(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_authentications(int, interval) TO payment_app;
