-- Removes mails that were written before this moment; how many. One that waits is still to be sent,
-- until its time is over. For the worker.
CREATE OR REPLACE FUNCTION payment.forget_mails(room int, before timestamptz)
RETURNS int
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH old_mails AS MATERIALIZED (
    SELECT m.merchant_account_id, m.id
    FROM mails m
    WHERE m.created_at < before
      AND (m.state <> 'waiting' OR m.until < (SELECT clock_timestamp()))
    LIMIT room
  ),
  gone AS (
    DELETE FROM mails m
    USING old_mails o
    WHERE m.merchant_account_id = o.merchant_account_id
      AND m.id = o.id
    RETURNING 1
  )
  SELECT count(*)::int FROM gone
$$;

ALTER FUNCTION payment.forget_mails(int, timestamptz) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_mails(int, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_mails(int, timestamptz) TO payment_app;
