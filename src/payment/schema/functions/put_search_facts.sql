-- Puts facts into the tables of the search; the same facts twice change nothing. Called by
-- follow_orders.
CREATE OR REPLACE FUNCTION payment.put_search_facts(facts payment.search_fact[])
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
BEGIN
  INSERT INTO order_classes (
    merchant_account_id, status, code, currency, provider,
    payment_method_name, operation_type, is_suspicious, digits
  )
  SELECT DISTINCT
    f.merchant_account_id, f.status, f.code, f.currency, f.provider,
    f.payment_method_name, f.operation_type, f.is_suspicious, f.digits
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
  ),
  old AS MATERIALIZED (
    SELECT s.merchant_account_id, s.order_id, s.class_id, s.amount_minor, fact.class_id AS becomes
    FROM fact
    JOIN order_search s ON s.merchant_account_id = fact.merchant_account_id
      AND s.order_id = fact.order_id
  ),
  put AS (
    INSERT INTO order_search AS s (
      merchant_account_id, order_id, class_id, last4, amount_minor, customer, email
    )
    SELECT merchant_account_id, order_id, class_id, last4, amount_minor, customer, email
    FROM fact
    ON CONFLICT (merchant_account_id, order_id) DO UPDATE
    SET
      class_id = excluded.class_id,
      last4 = excluded.last4,
      customer = excluded.customer,
      email = excluded.email
    WHERE (s.class_id, s.last4, s.customer, s.email)
      IS DISTINCT FROM (excluded.class_id, excluded.last4, excluded.customer, excluded.email)
  ),
  -- into one class and hour, and out of the one before
  moved AS MATERIALIZED (
    SELECT
      fact.merchant_account_id, hour_of(fact.order_id) AS hour, fact.class_id,
      1 AS n, fact.amount_minor
    FROM fact
    LEFT JOIN old ON old.merchant_account_id = fact.merchant_account_id
      AND old.order_id = fact.order_id
    WHERE old.class_id IS DISTINCT FROM fact.class_id
    UNION ALL
    SELECT merchant_account_id, hour_of(order_id), class_id, -1, -amount_minor
    FROM old
    WHERE class_id <> becomes
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
