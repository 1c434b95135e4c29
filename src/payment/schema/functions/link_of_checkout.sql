-- The payment link that a checkout was opened from, with the merchant's own data, as notifications
-- tell it; NULL: it was opened from none. Called by order_facts and fan_out.
CREATE OR REPLACE FUNCTION payment.link_of_checkout(of_checkout bytea, of_account bytea)
RETURNS json
LANGUAGE sql STABLE
AS $$
  SELECT json_build_object(
    'link_id', encode(c.link_id, 'hex'),
    'merchant_data', coalesce(c.body -> 'merchant_data', '[]')
  )
  FROM payment.checkouts c
  WHERE c.id = of_checkout
    AND c.merchant_account_id = of_account
    AND c.link_id IS NOT NULL
$$;
