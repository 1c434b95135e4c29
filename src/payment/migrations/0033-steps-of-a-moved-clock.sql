-- When an operation has something to do next, for a sandbox's clock that is moved ahead. An inquiry about what the provider has
-- pending, or about what waits for a person, may be late by so large a share of the operation's age: inquiries of many operations
-- then fall on one moment, and a month of them on few. What the provider does meanwhile happens in its own time all the same.
CREATE FUNCTION payment.next_operation(patience double precision) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT least(
    (SELECT min(o.due_at)
      FROM operations o
      WHERE o.due_at > '-infinity'
        AND o.state IN ('requested','in_doubt')
        AND o.waits_for <> 'provider'
        AND o.provider <> ALL (ARRAY(SELECT name FROM providers WHERE health = 'open'))),
    (SELECT min(o.due_at + (o.due_at - o.created_at) * patience)
      FROM operations o
      WHERE o.due_at > '-infinity'
        AND o.state IN ('requested','in_doubt','review')
        AND (o.waits_for = 'provider' OR o.state = 'review')
        AND o.provider <> ALL (ARRAY(SELECT name FROM providers WHERE health = 'open')))) $$;
-- When a notification is to be sent next: one that waits behind another of its order goes when that one is done, and what is on its
-- way ends by itself.
CREATE FUNCTION payment.next_notification() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
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
  WHERE e.state = 'on' $$;
GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['next_operation(double precision)', 'next_notification()'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue', f);
    EXECUTE format('REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
