-- What was seen of one subject in the last `window_s` seconds before `moment`, by the measure of a
-- rule. `room`: so much may have been seen, and the rule still says nothing. As long as all sightings
-- together are not above it, that is the answer: how each of them ended is asked only where it
-- decides. STABLE: it counts what the statement that calls it sees.
CREATE OR REPLACE FUNCTION payment.risk_seen(
  account bytea,
  sought bytea,
  measure text,
  window_s int,
  code char(3),
  moment timestamptz,
  room bigint DEFAULT 0
)
RETURNS bigint
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  counted bigint;
BEGIN
  -- never less than what is counted below
  SELECT CASE measure
    WHEN 'amount'
    THEN coalesce(sum(s.amount_minor) FILTER (WHERE s.currency = code), 0)
    ELSE count(*)
  END INTO counted
  FROM (
    SELECT *
    FROM payment.risk_sightings r
    WHERE r.merchant_account_id = account
      AND r.subject = sought
      AND r.at > moment - make_interval(secs => window_s)
    ORDER BY r.at DESC
    LIMIT CASE WHEN measure = 'amount' THEN 5000 ELSE least(greatest(room, 0) + 1, 5000) END
  ) s;
  IF counted <= greatest(room, 0) THEN
    RETURN counted;
  END IF;

  -- an attempt that is not stored yet is one that is being stored, for a minute; then it never was
  SELECT CASE measure
    WHEN 'attempts'
    THEN count(*) FILTER (WHERE x.stored OR x.fresh)
    WHEN 'successes'
    THEN count(DISTINCT x.order_id) FILTER (WHERE x.holds OR x.fresh)
    WHEN 'declines'
    THEN count(*) FILTER (WHERE x.stored) - count(DISTINCT x.order_id) FILTER (WHERE x.holds)
    ELSE coalesce(
      sum(x.amount_minor)
        FILTER (WHERE x.newest AND x.currency = code AND (x.holds OR x.fresh)),
      0
    )
  END INTO counted
  FROM (
    SELECT
      s.order_id,
      s.amount_minor,
      s.currency,
      t.id IS NOT NULL AS stored,
      t.id IS NULL AND s.at > moment - interval '1 minute' AS fresh,
      t.id IS NOT NULL AND (o.live OR o.winner_id IS NOT NULL) AS holds,
      row_number() OVER (PARTITION BY s.order_id ORDER BY s.at DESC) = 1 AS newest
    FROM (
      SELECT *
      FROM payment.risk_sightings r
      WHERE r.merchant_account_id = account
        AND r.subject = sought
        AND r.at > moment - make_interval(secs => window_s)
      ORDER BY r.at DESC
      LIMIT 5000
    ) s
    LEFT JOIN payment.transactions t ON t.order_id = s.order_id
      AND t.id = s.transaction_id
      AND t.merchant_account_id = account
    LEFT JOIN payment.orders o ON o.merchant_account_id = account AND o.id = s.order_id
  ) x;
  RETURN counted;
END
$$;

REVOKE EXECUTE ON FUNCTION payment.risk_seen FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.risk_seen TO payment_app;
