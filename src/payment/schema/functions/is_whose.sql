-- Whether an order with its checkout, or a checkout alone, is a person's: a customer's by the
-- merchant's id of them, or a guest's by their e-mail, where neither names a customer. Letters as in
-- search_hash.
CREATE OR REPLACE FUNCTION payment.is_whose(
  ordered json, agreed json, customer_id text, email text
)
RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE
    WHEN customer_id IS NOT NULL
      THEN coalesce(ordered ->> 'customer_id', agreed ->> 'customer_id', '') = customer_id
    ELSE coalesce(ordered ->> 'customer_id', agreed ->> 'customer_id') IS NULL
      AND lower(coalesce(ordered ->> 'customer_email', agreed ->> 'customer_email', '') COLLATE "C")
        = lower(email COLLATE "C")
  END
$$;

REVOKE EXECUTE ON FUNCTION payment.is_whose(json, json, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.is_whose(json, json, text, text) TO payment_app;
