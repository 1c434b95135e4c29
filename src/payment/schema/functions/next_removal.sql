-- When the vault is asked again to delete a saved card that was removed. For a sandbox's clock that
-- is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_removal()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(due_at)
  FROM card_removals
  WHERE due_at > '-infinity'
$$;

ALTER FUNCTION payment.next_removal() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_removal() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_removal() TO payment_app;
