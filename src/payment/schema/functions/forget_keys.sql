-- Deletes Idempotency-Keys of a stretch of time: those of orders, by their old path too, and of
-- maintenance, which are kept for longer, or all others. For the job of time.
CREATE OR REPLACE FUNCTION payment.forget_keys(
  after timestamptz,
  until timestamptz,
  of_orders boolean
)
RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH gone AS (
    DELETE FROM idempotency_keys k
    WHERE k.created_at > after
      AND k.created_at <= until
      AND (k.route ~ ' /(payment/(order|maintenance)|order/create)') = of_orders
    RETURNING 1
  )
  SELECT count(*) FROM gone
$$;

ALTER FUNCTION payment.forget_keys(timestamptz, timestamptz, boolean) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_keys(timestamptz, timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_keys(timestamptz, timestamptz, boolean) TO payment_app;
