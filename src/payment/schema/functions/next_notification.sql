-- When a notification is to be sent next: one that waits behind another of its order goes when that
-- one is done, and what is on its way ends by itself. For a sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_notification()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(n.due_at)
  FROM endpoints e
  CROSS JOIN LATERAL (
    SELECT x.due_at
    FROM notifications x
    WHERE x.endpoint_id = e.id
      AND x.state = 'waiting'
      AND x.due_at > '-infinity'
      AND x.leased_until IS NULL
      AND NOT EXISTS (
        SELECT 1
        FROM notifications b
        WHERE b.endpoint_id = x.endpoint_id
          AND b.subject_id = x.subject_id
          AND b.state = 'waiting'
          AND b.sequence < x.sequence)
    ORDER BY x.due_at
    LIMIT 1) n
  WHERE e.state = 'on'
$$;

ALTER FUNCTION payment.next_notification() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_notification() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_notification() TO payment_app;
