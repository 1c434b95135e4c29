-- When the next authorization lapses that has a date of its own. For a sandbox's clock that is moved
-- ahead.
CREATE OR REPLACE FUNCTION payment.next_lapse()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(due_at)
  FROM lapses
  WHERE due_at > '-infinity'
$$;

ALTER FUNCTION payment.next_lapse() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_lapse() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_lapse() TO payment_app;
