-- When an erasure is taken up next. For a sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_erasure()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(due_at)
  FROM erasures
  WHERE due_at > '-infinity'
    AND state = 'waiting'
$$;

ALTER FUNCTION payment.next_erasure() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_erasure() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_erasure() TO payment_app;
