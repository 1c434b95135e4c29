-- Whose a contract is, and with which provider: a message of a provider comes in with nothing but the
-- id in its address.
CREATE OR REPLACE FUNCTION payment.account_of_contract(contract_id bytea)
RETURNS TABLE (merchant_account_id bytea, provider text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT c.merchant_account_id, c.provider
  FROM contracts c
  WHERE c.id = contract_id
$$;

ALTER FUNCTION payment.account_of_contract(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.account_of_contract(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.account_of_contract(bytea) TO payment_app;
