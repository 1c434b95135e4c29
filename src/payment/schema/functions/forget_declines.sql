-- Deletes declines that no limit counts any more; one that stops its card stays until the card's
-- end. For the worker.
CREATE OR REPLACE FUNCTION payment.forget_declines(room int, keep interval)
RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH old AS MATERIALIZED (
    SELECT d.merchant_account_id, d.card, d.at, d.transaction_id
    FROM declines d
    WHERE d.at < (SELECT payment.now()) - keep::interval
      AND NOT (d.stopped AND coalesce(d.expires, 'infinity') > (SELECT payment.now()))
      AND NOT d.open
    ORDER BY d.at
    LIMIT room
  ),
  gone AS (
    DELETE FROM declines d
    USING old
    WHERE d.merchant_account_id = old.merchant_account_id
      AND d.card = old.card
      AND d.at = old.at
      AND d.transaction_id = old.transaction_id
    RETURNING 1
  )
  SELECT count(*) FROM gone
$$;

ALTER FUNCTION payment.forget_declines(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_declines(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_declines(int, interval) TO payment_app;
