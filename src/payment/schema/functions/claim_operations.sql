-- Operations that are due, each for one worker at a time: the lease is the next time at which it is
-- due. None of a provider that has taken its share of the places already. For the recovery.
CREATE OR REPLACE FUNCTION payment.claim_operations(
  room int,
  lease interval,
  crowded text[] DEFAULT '{}'
)
RETURNS SETOF payment.operations
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT o.order_id, o.id
    FROM operations o
    WHERE o.state IN ('requested', 'in_doubt', 'review')
      AND o.due_at <= (SELECT payment.now())
      AND o.provider <> ALL (ARRAY(SELECT name FROM providers WHERE health = 'open'))
      AND o.provider <> ALL (crowded)
    ORDER BY o.due_at
    LIMIT room
    FOR UPDATE OF o SKIP LOCKED
  ),
  taken AS (
    UPDATE operations o
    SET tries = tries + 1, due_at = payment.now() + lease
    FROM due
    WHERE o.order_id = due.order_id
      AND o.id = due.id
    RETURNING o.*
  )
  SELECT * FROM taken
$$;

ALTER FUNCTION payment.claim_operations(int, interval, text[]) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_operations(int, interval, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_operations(int, interval, text[]) TO payment_app;
