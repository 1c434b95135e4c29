-- Leases notifications of these endpoints to one worker: the earliest of each order, never more
-- than `connections` of an endpoint over all processes. An endpoint that is probed gives its first
-- one, due or not, and its next probe is set. Two statements, because the second must see the
-- leases of the worker that held the lock before: in one statement it would not. For the sender
-- (notification/schedule.ts decides what is asked).
CREATE OR REPLACE FUNCTION payment.claim_notifications(
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
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
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
    SELECT
      waiting.merchant_account_id, waiting.id,
      chosen.url, chosen.secret_sealed, chosen.old_secret_sealed
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

ALTER FUNCTION payment.claim_notifications OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_notifications FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_notifications TO payment_app;
