-- What an endpoint that waits is given is decided in TypeScript (notification/schedule.ts): these three look, lease and clean up.
DROP FUNCTION payment.claim_notifications(int, interval, int);

-- Endpoints of all accounts with something to do for the sender: a notification is due, a probe is due, or the endpoint has ended.
-- Those that work come first, then the one that waits longest. Found by jumping through the index notifications_due from endpoint
-- to endpoint: one with very many notifications hides none. Decides nothing: notification/schedule.ts does.
CREATE FUNCTION payment.waiting_endpoints(probed_for interval)
RETURNS TABLE (
  endpoint_id payment.id24,
  state text,
  failing_since timestamptz,
  probe_at timestamptz,
  first_due_at timestamptz,
  now timestamptz
)
LANGUAGE sql
SECURITY DEFINER
SET search_path = payment, pg_temp
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
  SELECT e.id, e.state, e.failing_since, e.probe_at, first_waiting.due_at, clock.now
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

-- Leases notifications of these endpoints to one worker: the earliest of each order, never more than `connections` of an endpoint
-- over all processes. An endpoint that is probed gives its first one, due or not, and its next probe is set.
-- Two statements, because the second must see the leases of the worker that held the lock before: in one statement it would not.
CREATE FUNCTION payment.claim_notifications(
  endpoint_ids bytea[],
  connections int[],
  probing boolean[],
  probe_every interval,
  room int,
  lease interval
)
RETURNS TABLE (
  id payment.id24,
  merchant_account_id payment.id24,
  endpoint_id payment.id24,
  event text,
  subject_id payment.id24,
  order_id payment.id24,
  sequence int,
  previous_sequence int,
  facts json,
  body text,
  tries int,
  scheduled boolean,
  url text,
  secret_sealed bytea,
  old_secret_sealed bytea
)
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = payment, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := payment.now();
  machine timestamptz := clock_timestamp();
  locked bytea[];
BEGIN
  locked := ARRAY(
    SELECT e.id::bytea
    FROM unnest(endpoint_ids, probing) AS asked (endpoint_id, probing)
    JOIN endpoints e ON e.id = asked.endpoint_id
    WHERE e.state = 'on'
      AND (NOT asked.probing OR e.probe_at <= moment)
    FOR NO KEY UPDATE OF e SKIP LOCKED
  );

  RETURN QUERY
  WITH chosen AS (
    SELECT
      e.id, e.url, e.secret_sealed, asked.probing, asked.place,
      CASE WHEN e.old_secret_until > moment THEN e.old_secret_sealed END AS old_secret_sealed,
      asked.connections - (
        SELECT count(*)
        FROM notifications n
        WHERE n.endpoint_id = e.id
          AND n.leased_until > machine
      ) AS places
    FROM unnest(endpoint_ids, connections, probing)
      WITH ORDINALITY AS asked (endpoint_id, connections, probing, place)
    JOIN endpoints e ON e.id = asked.endpoint_id
    WHERE asked.endpoint_id = ANY (locked)
  ),
  probed AS (
    UPDATE endpoints e
    SET probe_at = moment + probe_every
    FROM chosen
    WHERE e.id = chosen.id
      AND chosen.probing
      AND chosen.places > 0
  ),
  due AS MATERIALIZED (
    SELECT waiting.merchant_account_id, waiting.id, chosen.url, chosen.secret_sealed, chosen.old_secret_sealed
    FROM (SELECT * FROM chosen WHERE places > 0 ORDER BY place) AS chosen
    CROSS JOIN LATERAL (
      SELECT n.merchant_account_id, n.id
      FROM notifications n
      WHERE n.endpoint_id = chosen.id
        AND n.state = 'waiting'
        AND (n.due_at <= moment OR chosen.probing)
        AND (n.leased_until IS NULL OR n.leased_until <= machine)
        AND n.sequence = (
          SELECT first.sequence
          FROM notifications first
          WHERE first.endpoint_id = n.endpoint_id
            AND first.subject_id = n.subject_id
            AND first.state = 'waiting'
          ORDER BY first.sequence
          LIMIT 1
        )
      ORDER BY n.due_at
      LIMIT chosen.places
      FOR UPDATE SKIP LOCKED
    ) AS waiting
    LIMIT room
  )
  UPDATE notifications n
  SET leased_until = machine + lease
  FROM due
  WHERE n.merchant_account_id = due.merchant_account_id
    AND n.id = due.id
  RETURNING
    n.id, n.merchant_account_id, n.endpoint_id, n.event, n.subject_id, n.order_id,
    n.sequence, n.previous_sequence, n.facts, n.body, n.tries, n.next_at <= moment,
    due.url, due.secret_sealed, due.old_secret_sealed;
END
$$;

-- What waits for an endpoint that has ended: deleted with it, parked where it is switched off. At most so many at a time: one may
-- have very many. Their ids are gathered first, so that each is found by its key.
CREATE FUNCTION payment.end_waiting(ended_id bytea, most int)
RETURNS void
LANGUAGE sql
SECURITY DEFINER
SET search_path = payment, pg_temp
AS $$
  WITH ended AS MATERIALIZED (
    SELECT e.id, e.merchant_account_id, e.state
    FROM endpoints e
    WHERE e.id = ended_id
      AND e.state <> 'on'
  ),
  waiting AS MATERIALIZED (
    SELECT n.id::bytea AS id
    FROM notifications n
    WHERE n.endpoint_id = (SELECT ended.id FROM ended)
      AND n.state = 'waiting'
    ORDER BY n.due_at
    LIMIT most::int
    FOR UPDATE SKIP LOCKED
  ),
  removed AS (
    DELETE FROM notifications n
    WHERE n.merchant_account_id = (SELECT ended.merchant_account_id FROM ended WHERE ended.state = 'deleted')
      AND n.id = ANY (ARRAY(SELECT waiting.id FROM waiting))
  )
  UPDATE notifications n
  SET
    state = 'parked',
    leased_until = NULL,
    last_error = coalesce(n.last_error, 'the endpoint is switched off')
  WHERE n.merchant_account_id = (SELECT ended.merchant_account_id FROM ended WHERE ended.state = 'off')
    AND n.id = ANY (ARRAY(SELECT waiting.id FROM waiting))
$$;

GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY[
    'waiting_endpoints(interval)',
    'claim_notifications(bytea[], int[], boolean[], interval, int, interval)',
    'end_waiting(bytea, int)'
  ] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
