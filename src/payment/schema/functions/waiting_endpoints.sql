-- Endpoints of all accounts with something to do for the sender: a notification is due, a probe is
-- due, or the endpoint has ended. Those that work come first, then the one that waits longest.
-- Found by jumping through the index notifications_due from endpoint to endpoint: one with very
-- many notifications hides none. Decides nothing: notification/schedule.ts does.
CREATE OR REPLACE FUNCTION payment.waiting_endpoints(probed_for interval)
RETURNS TABLE (
  endpoint_id payment.id24,
  merchant_account_id payment.id24,
  state text,
  failing_since timestamptz,
  probe_at timestamptz,
  first_due_at timestamptz,
  now timestamptz
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH RECURSIVE clock AS MATERIALIZED (
    SELECT payment.now() AS now
  ),
  first_waiting AS (
    (
      SELECT n.endpoint_id, n.due_at
      FROM notifications n
      WHERE n.state = 'waiting'
        AND n.endpoint_id > ''::bytea
      ORDER BY n.endpoint_id, n.due_at
      LIMIT 1
    )
    UNION ALL
    SELECT next.endpoint_id, next.due_at
    FROM first_waiting
    CROSS JOIN LATERAL (
      SELECT n.endpoint_id, n.due_at
      FROM notifications n
      WHERE n.state = 'waiting'
        AND n.endpoint_id > first_waiting.endpoint_id
      ORDER BY n.endpoint_id, n.due_at
      LIMIT 1
    ) AS next
  )
  SELECT
    e.id, e.merchant_account_id, e.state, e.failing_since, e.probe_at, first_waiting.due_at,
    clock.now
  FROM first_waiting
  CROSS JOIN clock
  CROSS JOIN LATERAL (
    SELECT *
    FROM endpoints x
    WHERE x.id = first_waiting.endpoint_id
    LIMIT 1
  ) AS e
  WHERE first_waiting.due_at <= clock.now
    OR e.state <> 'on'
    OR (e.failing_since > clock.now - probed_for::interval AND e.probe_at <= clock.now)
  ORDER BY e.failing_since IS NOT NULL, first_waiting.due_at
$$;

ALTER FUNCTION payment.waiting_endpoints(interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.waiting_endpoints(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.waiting_endpoints(interval) TO payment_app;
