-- Brings what waits for a provider forward, spread over a time: it is well again. Called when its
-- circuit closes.
CREATE OR REPLACE FUNCTION payment.wake_provider(which text, spread interval)
RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH woken AS (
    UPDATE operations o
    SET due_at = payment.now() + random() * spread
    WHERE o.provider = which
      AND o.state IN ('requested', 'in_doubt', 'review')
      AND o.due_at > (SELECT payment.now()) + spread::interval
      AND o.tries > 1
    RETURNING 1
  )
  SELECT count(*) FROM woken
$$;

ALTER FUNCTION payment.wake_provider(text, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.wake_provider(text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.wake_provider(text, interval) TO payment_app;
