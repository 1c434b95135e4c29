-- Whose key a text is or was, also after it was revoked. For the operator, who frees a text.
CREATE OR REPLACE FUNCTION payment.holder_of_key(asked bytea)
RETURNS TABLE (id bytea, merchant_account_id bytea, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT k.id, a.merchant_account_id, a.name
  FROM api_keys k
  JOIN merchant_accounts a USING (merchant_account_id)
  WHERE k.digest = asked
$$;

ALTER FUNCTION payment.holder_of_key(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.holder_of_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.holder_of_key(bytea) TO payment_app;
