-- Open disputes without an answer whose reminder is due, each for one worker at a time; the moment of
-- each is put off by the lease. For the worker.
CREATE OR REPLACE FUNCTION payment.claim_dispute_reminders(room int, lease interval)
RETURNS TABLE (merchant_account_id bytea, order_id bytea, id bytea)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT d.id
    FROM disputes d
    WHERE d.remind_at <= (SELECT payment.now())
    ORDER BY d.remind_at
    LIMIT room
    FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE disputes d
  SET remind_at = payment.now() + lease
  FROM due
  WHERE d.id = due.id
  RETURNING d.merchant_account_id, d.order_id, d.id
$$;

ALTER FUNCTION payment.claim_dispute_reminders(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_dispute_reminders(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_dispute_reminders(int, interval) TO payment_app;
