-- Mails that are to be sent now, for one worker at a time. For the worker.
CREATE OR REPLACE FUNCTION payment.claim_mails(room int, lease interval)
RETURNS TABLE (merchant_account_id bytea, id bytea)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT m.merchant_account_id, m.id
    FROM mails m
    WHERE m.due_at <= (SELECT clock_timestamp())
      AND m.state = 'waiting'
    ORDER BY m.due_at
    LIMIT room
    FOR UPDATE OF m SKIP LOCKED
  )
  UPDATE mails m
  SET tries = m.tries + 1, due_at = clock_timestamp() + lease
  FROM due
  WHERE m.merchant_account_id = due.merchant_account_id
    AND m.id = due.id
  RETURNING m.merchant_account_id, m.id
$$;

ALTER FUNCTION payment.claim_mails(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_mails(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_mails(int, interval) TO payment_app;
