-- When a message of a provider that is stored and not applied is taken up next, so long after the
-- last look. For a sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_message(pause interval)
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(coalesce(looked_at, received_at)) + pause
  FROM provider_events
  WHERE received_at > '-infinity'
    AND state = 'received'
$$;

ALTER FUNCTION payment.next_message(interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_message(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_message(interval) TO payment_app;
