-- Orders of contracts with this many days whose authorization is over, by time; also those with
-- something undecided. For the job that ends them.
CREATE OR REPLACE FUNCTION payment.lapsing(after bytea, until bytea, days int, room int)
RETURNS TABLE (order_id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT o.id, o.merchant_account_id
  FROM merchant_accounts a
  CROSS JOIN LATERAL (
    SELECT x.id, x.merchant_account_id
    FROM orders x
    JOIN LATERAL (
      SELECT t.contract_id
      FROM transactions t
      WHERE t.order_id = x.id
      ORDER BY t.attempt DESC
      LIMIT 1
    ) last_attempt ON true
    JOIN contracts c ON c.id = last_attempt.contract_id
      AND c.merchant_account_id = x.merchant_account_id
      AND c.authorization_days = days
    WHERE x.merchant_account_id = a.merchant_account_id
      AND x.id > after
      AND x.id <= until
      AND x.live
      AND (x.winner_id IS NULL OR x.authorized_minor > x.released_minor + x.captured_minor)
    ORDER BY x.id
    LIMIT room
  ) o
  ORDER BY o.id
  LIMIT room
$$;

ALTER FUNCTION payment.lapsing(bytea, bytea, int, int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.lapsing(bytea, bytea, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.lapsing(bytea, bytea, int, int) TO payment_app;
