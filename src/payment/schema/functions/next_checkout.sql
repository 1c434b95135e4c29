-- When the next checkout expires. For a sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_checkout()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(expires_at)
  FROM checkouts
  WHERE status = 'created'
    AND expires_at > coalesce(
      (SELECT at FROM jobs WHERE name = 'expire checkouts'),
      '-infinity'
    )
$$;

ALTER FUNCTION payment.next_checkout() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_checkout() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_checkout() TO payment_app;
