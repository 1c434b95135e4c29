-- Ends checkouts whose time ended between two moments and that are neither paid nor being paid, so
-- many of them at a time: merchants choose the moment. Gives the last id that was looked at; NULL:
-- there are no more. For the job of time.
CREATE OR REPLACE FUNCTION payment.expire_checkouts(
  after timestamptz,
  until timestamptz,
  behind bytea,
  room int
)
RETURNS bytea
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH over AS MATERIALIZED (
    SELECT c.id::bytea AS id
    FROM checkouts c
    WHERE c.expires_at > after
      AND c.expires_at <= until
      AND c.status = 'created'
    UNION
    SELECT l.checkout_id::bytea
    FROM late_checkouts l
  ),
  page AS MATERIALIZED (
    SELECT o.id
    FROM over o
    WHERE o.id > behind
    ORDER BY o.id
    LIMIT room
  ),
  ended AS MATERIALIZED (
    SELECT c.id, c.attempts, c.max_attempts, c.merchant_account_id
    FROM page p
    CROSS JOIN LATERAL (SELECT * FROM checkouts x WHERE x.id = p.id LIMIT 1) c
  ),
  due AS MATERIALIZED (
    SELECT
      e.*,
      (
        SELECT count(*)
        FROM orders o
        WHERE o.checkout_id = e.id AND o.live AND o.winner_id IS NULL
      ) > 0 AS undecided,
      (
        SELECT count(*)
        FROM orders o
        WHERE o.checkout_id = e.id AND o.live AND o.winner_id IS NOT NULL
      ) + (
        SELECT count(*)
        FROM orders o
        WHERE o.checkout_id = e.id AND NOT o.live AND o.winner_id IS NOT NULL
      ) > 0 AS paid
    FROM ended e
  ),
  new_late AS (
    INSERT INTO late_checkouts
    SELECT d.id, d.merchant_account_id
    FROM due d
    WHERE d.undecided
    ON CONFLICT DO NOTHING
  ),
  late_no_more AS (
    DELETE FROM late_checkouts l
    WHERE l.checkout_id = ANY (ARRAY(SELECT d.id::bytea FROM due d WHERE NOT d.undecided))
  ),
  -- an attempt that was counted since is seen the next time. By a list, not by a join: a plan made
  -- while the table was empty would read all of it for each of them
  expired AS (
    UPDATE checkouts c
    SET status = 'expired'
    WHERE c.id = ANY (
        ARRAY(
          SELECT d.id::bytea
          FROM due d
          WHERE NOT d.undecided
            AND NOT d.paid
            AND d.attempts < d.max_attempts
        )
      )
      AND c.status = 'created'
      AND c.attempts = (SELECT d.attempts FROM due d WHERE d.id = c.id)
    RETURNING c.id, c.merchant_account_id
  ),
  new_event AS (
    INSERT INTO events (subject_id, seq, merchant_account_id, type)
    SELECT id, 1, merchant_account_id, 'checkout.expired'
    FROM expired
    ON CONFLICT DO NOTHING
    RETURNING 1
  )
  SELECT p.id
  FROM page p
  WHERE (SELECT count(*) FROM page) = room
  ORDER BY p.id DESC
  LIMIT 1
$$;

ALTER FUNCTION payment.expire_checkouts OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.expire_checkouts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.expire_checkouts TO payment_app;
