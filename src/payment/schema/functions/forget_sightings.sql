-- Deletes sightings that are older than they are kept for. For the worker.
CREATE OR REPLACE FUNCTION payment.forget_sightings(room int, keep interval)
RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH old AS MATERIALIZED (
    SELECT s.merchant_account_id, s.subject, s.at, s.transaction_id
    FROM risk_sightings s
    WHERE s.at < (SELECT payment.now()) - keep::interval
    ORDER BY s.at
    LIMIT room
  ),
  gone AS (
    DELETE FROM risk_sightings s
    USING old
    WHERE s.merchant_account_id = old.merchant_account_id
      AND s.subject = old.subject
      AND s.at = old.at
      AND s.transaction_id = old.transaction_id
    RETURNING 1
  )
  SELECT count(*) FROM gone
$$;

ALTER FUNCTION payment.forget_sightings(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_sightings(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_sightings(int, interval) TO payment_app;
