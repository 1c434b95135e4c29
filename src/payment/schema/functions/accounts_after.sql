-- Merchant accounts, page by page. For the checks of the ledger.
CREATE OR REPLACE FUNCTION payment.accounts_after(after bytea, room int)
RETURNS TABLE (merchant_account_id bytea, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT a.merchant_account_id, a.name
  FROM merchant_accounts a
  WHERE a.merchant_account_id > after
  ORDER BY a.merchant_account_id
  LIMIT room
$$;

ALTER FUNCTION payment.accounts_after(bytea, int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.accounts_after(bytea, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.accounts_after(bytea, int) TO payment_app;
