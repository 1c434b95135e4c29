-- Answers to disputes that are to go to their provider, each for one worker at a time. For the
-- worker.
CREATE OR REPLACE FUNCTION payment.claim_dispute_answers(room int, lease interval)
RETURNS TABLE (merchant_account_id bytea, id bytea)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT a.merchant_account_id, a.id
    FROM dispute_answers a
    WHERE a.due_at <= (SELECT payment.now())
      AND a.state IN ('requested', 'in_doubt')
    ORDER BY a.due_at
    LIMIT room
    FOR UPDATE OF a SKIP LOCKED
  )
  UPDATE dispute_answers a
  SET tries = a.tries + 1, due_at = payment.now() + lease
  FROM due
  WHERE a.merchant_account_id = due.merchant_account_id
    AND a.id = due.id
  RETURNING a.merchant_account_id, a.id
$$;

ALTER FUNCTION payment.claim_dispute_answers(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_dispute_answers(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_dispute_answers(int, interval) TO payment_app;
