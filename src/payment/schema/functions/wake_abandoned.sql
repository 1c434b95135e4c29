-- What a process had under way when it died is due now, not at the end of its lease: nobody works on
-- it any more. For the start of a process that is the only one at its database.
CREATE OR REPLACE FUNCTION payment.wake_abandoned()
RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH woken AS (
    UPDATE operations o
    SET due_at = payment.now()
    WHERE o.state = 'requested'
      AND o.waits_for = 'call'
      AND o.due_at > payment.now()
    RETURNING 1
  )
  SELECT count(*) FROM woken
$$;

ALTER FUNCTION payment.wake_abandoned() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.wake_abandoned() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.wake_abandoned() TO payment_app;
