-- When an authentication of a payer has something to do next. For a sandbox's clock that is moved
-- ahead.
CREATE OR REPLACE FUNCTION payment.next_authentication()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(due_at)
  FROM authentications
  WHERE due_at > '-infinity'
    AND state IN ('requested', 'method', 'challenge')
    -- the operation of such a one is what becomes due
    AND NOT provider_run
$$;

ALTER FUNCTION payment.next_authentication() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_authentication() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_authentication() TO payment_app;
