-- What is to be found of these orders, as they are now. Called by follow_orders.
CREATE OR REPLACE FUNCTION payment.search_facts(accounts bytea[], ids bytea[])
RETURNS SETOF payment.search_fact
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT
    o.merchant_account_id,
    o.id,
    o.status,
    coalesce(e.code, ''),
    o.currency::text,
    t.provider,
    t.payment_method_name,
    coalesce(ordered.operation_type, agreed.operation_type, ''),
    payment.is_suspicious(t.risk, t.risk_score),
    length(o.amount_minor::text)::smallint,
    CASE WHEN t.last4 ~ '^[0-9]{4}$' THEN t.last4::smallint END,
    o.amount_minor,
    payment.search_hash(coalesce(ordered.customer_id, agreed.customer_id)),
    payment.search_hash(coalesce(ordered.customer_email, agreed.customer_email)),
    upper(coalesce(ordered.customer_country, agreed.customer_country, '')),
    -- the payer tried once more, or another provider was tried
    CASE WHEN o.attempts > 1 THEN 'again' WHEN t.attempt > 1 THEN 'fallback' ELSE 'first' END,
    payment.outcome_of(o.status, o.captured_minor, o.refunded_minor)
  FROM unnest(accounts::bytea[], ids::bytea[]) AS x (merchant_account_id, id)
  JOIN orders o ON o.merchant_account_id = x.merchant_account_id AND o.id = x.id
  JOIN LATERAL (
    SELECT *
    FROM transactions t
    WHERE t.order_id = o.id
    ORDER BY t.attempt DESC
    LIMIT 1
  ) t ON true
  LEFT JOIN LATERAL (
    SELECT e.code
    FROM events e
    WHERE e.subject_id = o.id
      -- of a status: what is told of a dispute or of a retry has no code
      AND e.type NOT LIKE '%.%'
    ORDER BY e.seq DESC
    LIMIT 1
  ) e ON true
  LEFT JOIN checkouts c ON c.id = o.checkout_id
  -- each body is read once
  CROSS JOIN LATERAL json_to_record(o.body) AS ordered (
    operation_type text, customer_id text, customer_email text, customer_country text
  )
  LEFT JOIN LATERAL json_to_record(c.body) AS agreed (
    operation_type text, customer_id text, customer_email text, customer_country text
  ) ON true
$$;

ALTER FUNCTION payment.search_facts(bytea[], bytea[]) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.search_facts(bytea[], bytea[]) FROM PUBLIC;
