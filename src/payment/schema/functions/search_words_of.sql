-- The words of the people who pay these orders. A person with neither an e-mail nor a customer_id
-- has none: nothing tells them from others. Words are cut, so that the longest one fits into the
-- index. It reads as the one who calls it: the service its own account alone, follow_orders all of
-- them.
CREATE OR REPLACE FUNCTION payment.search_words_of(accounts bytea[], ids bytea[])
RETURNS TABLE (
  merchant_account_id bytea,
  word text,
  by_email boolean,
  person bigint
)
LANGUAGE sql STABLE SET search_path = payment, pg_temp
AS $$
  WITH payers AS MATERIALIZED (
    -- most of a moment's orders may be one person's
    SELECT DISTINCT
      o.merchant_account_id,
      coalesce(ordered.customer_email, agreed.customer_email) AS email,
      coalesce(ordered.customer_id, agreed.customer_id) AS customer_id,
      coalesce(ordered.customer_first_name, agreed.customer_first_name) AS first_name,
      coalesce(ordered.customer_last_name, agreed.customer_last_name) AS last_name
    FROM unnest(accounts::bytea[], ids::bytea[]) AS x (merchant_account_id, id)
    JOIN orders o ON o.merchant_account_id = x.merchant_account_id AND o.id = x.id
    LEFT JOIN checkouts c ON c.merchant_account_id = o.merchant_account_id AND c.id = o.checkout_id
    CROSS JOIN LATERAL json_to_record(o.body) AS ordered (
      customer_email text, customer_id text, customer_first_name text, customer_last_name text
    )
    LEFT JOIN LATERAL json_to_record(c.body) AS agreed (
      customer_email text, customer_id text, customer_first_name text, customer_last_name text
    ) ON true)
  SELECT DISTINCT
    p.merchant_account_id::bytea,
    left(w.word, 100),
    p.email IS NOT NULL,
    search_hash(coalesce(p.email, p.customer_id))
  FROM payers p
  CROSS JOIN LATERAL (
    SELECT search_fold(p.email) AS word
    UNION ALL
    SELECT search_parts(concat_ws(' ',
      split_part(p.email, '@', 1),
      split_part(split_part(p.email, '@', 2), '.', 1),
      p.first_name,
      p.last_name))) w
  WHERE w.word IS NOT NULL
    AND coalesce(p.email, p.customer_id) IS NOT NULL
$$;

REVOKE EXECUTE ON FUNCTION payment.search_words_of(bytea[], bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.search_words_of(bytea[], bytea[]) TO payment_app, payment_queue;
