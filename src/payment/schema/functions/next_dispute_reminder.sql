-- When people are reminded next of a dispute. For a sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_dispute_reminder()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(remind_at)
  FROM disputes
  WHERE remind_at > '-infinity'
$$;

ALTER FUNCTION payment.next_dispute_reminder() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_dispute_reminder() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_dispute_reminder() TO payment_app;
