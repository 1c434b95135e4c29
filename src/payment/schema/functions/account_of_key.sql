-- Whose a key is, and what it may do: the way past the borders between accounts by which every
-- request comes in.
CREATE OR REPLACE FUNCTION payment.account_of_key(presented bytea)
RETURNS TABLE (
  key_id bytea,
  merchant_account_id bytea,
  name text,
  settings jsonb,
  kind text,
  environment text,
  scopes text[],
  contracts json
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT
    k.id,
    a.merchant_account_id,
    a.name,
    a.settings,
    k.kind,
    k.environment,
    k.scopes,
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
  FROM api_keys k
  JOIN merchant_accounts a USING (merchant_account_id)
  WHERE k.digest = presented AND k.revoked_at IS NULL
$$;

ALTER FUNCTION payment.account_of_key(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.account_of_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.account_of_key(bytea) TO payment_app;
