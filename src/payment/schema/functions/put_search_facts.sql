-- Puts facts into the tables of the search; the same facts twice change nothing. One caller at a time,
-- who holds order_search_state: follow_orders, count_earlier, forget_found.
CREATE OR REPLACE FUNCTION payment.put_search_facts(facts payment.search_fact[])
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
BEGIN
  INSERT INTO order_classes (
    merchant_account_id, status, code, currency, provider,
    payment_method_name, operation_type, is_suspicious, digits, outcome
  )
  SELECT DISTINCT
    f.merchant_account_id, f.status, f.code, f.currency, f.provider,
    f.payment_method_name, f.operation_type, f.is_suspicious, f.digits, f.outcome
  FROM unnest(facts) f
  WHERE NOT EXISTS (
    SELECT
    FROM order_classes k
    WHERE k.merchant_account_id = f.merchant_account_id
      AND k.status = f.status
      AND k.code = f.code
      AND k.currency = f.currency
      AND k.provider = f.provider
      AND k.payment_method_name = f.payment_method_name
      AND k.operation_type = f.operation_type
      AND k.is_suspicious = f.is_suspicious
      AND k.digits = f.digits
      AND k.outcome = f.outcome
  )
  ON CONFLICT DO NOTHING;

  WITH fact AS MATERIALIZED (
    SELECT f.*, k.id AS class_id
    FROM unnest(facts) f
    JOIN order_classes k ON k.merchant_account_id = f.merchant_account_id
      AND k.status = f.status
      AND k.code = f.code
      AND k.currency = f.currency
      AND k.provider = f.provider
      AND k.payment_method_name = f.payment_method_name
      AND k.operation_type = f.operation_type
      AND k.is_suspicious = f.is_suspicious
      AND k.digits = f.digits
      AND k.outcome = f.outcome
  ),
  -- what is kept of them so far
  pair AS MATERIALIZED (
    SELECT
      fact.*, s.class_id AS old_class, s.country AS old_country, s.tries AS old_tries
    FROM fact
    LEFT JOIN order_search s ON s.merchant_account_id = fact.merchant_account_id
      AND s.order_id = fact.order_id
  ),
  put AS (
    INSERT INTO order_search (
      merchant_account_id, order_id, class_id, last4, amount_minor, customer, email, country, tries
    )
    SELECT
      merchant_account_id, order_id, class_id, last4, amount_minor, customer, email, country, tries
    FROM pair
    WHERE old_class IS NULL
  ),
  changed AS (
    UPDATE order_search s
    SET
      class_id = pair.class_id,
      last4 = pair.last4,
      customer = pair.customer,
      email = pair.email,
      country = pair.country,
      tries = pair.tries
    FROM pair
    WHERE s.merchant_account_id = pair.merchant_account_id
      AND s.order_id = pair.order_id
      AND (s.class_id, s.last4, s.customer, s.email, s.country, s.tries)
        IS DISTINCT FROM (
          pair.class_id, pair.last4, pair.customer, pair.email, pair.country, pair.tries
        )
  ),
  -- into one class and hour, and out of the one before
  moved AS MATERIALIZED (
    SELECT
      pair.merchant_account_id, hour_of(pair.order_id) AS hour, side.class_id, side.n,
      side.n * pair.amount_minor AS amount_minor
    FROM pair
    CROSS JOIN LATERAL (VALUES (pair.class_id, 1), (pair.old_class, -1)) side (class_id, n)
    WHERE side.class_id IS NOT NULL
      AND pair.class_id IS DISTINCT FROM pair.old_class
  ),
  -- likewise in the sums; an order without tries is not in them yet
  recounted AS MATERIALIZED (
    SELECT
      pair.merchant_account_id, hour_of(pair.order_id) AS hour,
      side.class_id, side.country, side.tries,
      sum(side.n) AS n, sum(side.n * pair.amount_minor) AS amount_minor
    FROM pair
    CROSS JOIN LATERAL (
      VALUES
        (pair.class_id, pair.country, pair.tries, 1),
        (pair.old_class, pair.old_country, pair.old_tries, -1)
    ) side (class_id, country, tries, n)
    WHERE side.tries IS NOT NULL
      AND (pair.class_id, pair.country, pair.tries)
        IS DISTINCT FROM (pair.old_class, pair.old_country, pair.old_tries)
    GROUP BY 1, 2, 3, 4, 5
  ),
  summed AS (
    INSERT INTO order_sums AS s (
      merchant_account_id, facet, hours, at, currency, name,
      captured, refunded, authorized, released, declined, open, approved_minor
    )
    SELECT
      r.merchant_account_id, part.facet, span.hours, r.hour / span.hours,
      k.currency, part.name,
      coalesce(sum(r.n) FILTER (WHERE k.outcome = 'captured'), 0),
      coalesce(sum(r.n) FILTER (WHERE k.outcome = 'refunded'), 0),
      coalesce(sum(r.n) FILTER (WHERE k.outcome = 'authorized'), 0),
      coalesce(sum(r.n) FILTER (WHERE k.outcome = 'released'), 0),
      coalesce(sum(r.n) FILTER (WHERE k.outcome = 'declined'), 0),
      coalesce(sum(r.n) FILTER (WHERE k.outcome = 'open'), 0),
      coalesce(sum(r.amount_minor) FILTER (WHERE k.outcome NOT IN ('declined', 'open')), 0)
    FROM recounted r
    JOIN order_classes k ON k.merchant_account_id = r.merchant_account_id
      AND k.id = r.class_id
    CROSS JOIN LATERAL (
      VALUES
        ('all', ''),
        ('provider', k.provider),
        ('scheme', k.payment_method_name),
        ('country', r.country),
        ('tries', r.tries),
        ('reason', CASE WHEN k.outcome = 'declined' THEN k.code END)
    ) part (facet, name)
    CROSS JOIN (VALUES (1), (24)) span (hours)
    WHERE part.name IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6
    ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (merchant_account_id, facet, hours, at, currency, name) DO UPDATE
    SET
      captured = s.captured + excluded.captured,
      refunded = s.refunded + excluded.refunded,
      authorized = s.authorized + excluded.authorized,
      released = s.released + excluded.released,
      declined = s.declined + excluded.declined,
      open = s.open + excluded.open,
      approved_minor = s.approved_minor + excluded.approved_minor
  ),
  counted_hours AS (
    INSERT INTO order_hours AS h (merchant_account_id, hour, class_id, orders, amount_minor)
    SELECT merchant_account_id, hour, class_id, sum(n), sum(amount_minor)
    FROM moved
    GROUP BY 1, 2, 3
    ON CONFLICT (merchant_account_id, hour, class_id) DO UPDATE
    SET
      orders = h.orders + excluded.orders,
      amount_minor = h.amount_minor + excluded.amount_minor
  )
  UPDATE order_classes k
  SET orders = k.orders + d.n
  FROM (SELECT class_id, sum(n) AS n FROM moved GROUP BY 1) d
  WHERE k.id = d.class_id;
END
$$;

ALTER FUNCTION payment.put_search_facts(payment.search_fact[]) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.put_search_facts(payment.search_fact[]) FROM PUBLIC;
