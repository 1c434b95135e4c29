-- When the next authorization lapses by the days of its contract, counted from its order. For a
-- sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_authorization()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(
    -- an id begins with the second in which it was made
    to_timestamp(('x' || encode(substring(first.id FROM 1 FOR 4), 'hex'))::bit(32)::bigint)
    + make_interval(days => d.days)
  )
  FROM (SELECT DISTINCT authorization_days AS days FROM contracts) d
  CROSS JOIN merchant_accounts a
  CROSS JOIN LATERAL (
    SELECT o.id
    FROM orders o
    WHERE o.merchant_account_id = a.merchant_account_id
      AND o.live
      AND o.id > coalesce(
        (SELECT position FROM jobs WHERE name = format('lapse after %s days', d.days)),
        '\x000000000000000000000000'
      )
      AND (o.winner_id IS NULL OR o.authorized_minor > o.released_minor + o.captured_minor)
      AND EXISTS (
        SELECT 1
        FROM (
          SELECT t.contract_id
          FROM transactions t
          WHERE t.order_id = o.id
          ORDER BY t.attempt DESC
          LIMIT 1
        ) last_attempt
        JOIN contracts c ON c.id = last_attempt.contract_id
          AND c.merchant_account_id = o.merchant_account_id
          AND c.authorization_days = d.days
      )
    ORDER BY o.id
    LIMIT 1
  ) first
$$;

ALTER FUNCTION payment.next_authorization() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_authorization() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_authorization() TO payment_app;
