-- Whose a hosted page is: a payer comes with nothing but the handle of a checkout.
CREATE OR REPLACE FUNCTION payment.account_of_page(handle bytea)
RETURNS TABLE (
  merchant_account_id bytea,
  checkout_id bytea,
  name text,
  settings jsonb,
  contracts json
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT
    a.merchant_account_id,
    h.id,
    a.name,
    a.settings,
    (
      SELECT coalesce(
        json_agg(
          json_build_object(
            'id', encode(c.id, 'hex'),
            'name', c.name,
            'provider', c.provider,
            'methods', c.methods,
            'currencies', c.currencies,
            'channels', c.channels,
            'countries', c.countries,
            'operations', c.operations,
            'token_types', c.token_types
          )
          ORDER BY c.priority, c.id
        ),
        '[]'
      )
      FROM contracts c
      WHERE c.merchant_account_id = a.merchant_account_id AND c.enabled
    )
  FROM checkouts h
  JOIN merchant_accounts a USING (merchant_account_id)
  WHERE h.page_handle = handle
$$;

ALTER FUNCTION payment.account_of_page(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.account_of_page(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.account_of_page(bytea) TO payment_app;
