-- When the next later try of an order is due. For a sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_retry()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(due_at)
  FROM retries
  WHERE due_at > '-infinity'
$$;

ALTER FUNCTION payment.next_retry() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_retry() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_retry() TO payment_app;
