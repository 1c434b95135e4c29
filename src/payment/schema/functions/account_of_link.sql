-- Whose a payment link is: a payer comes with nothing but its handle.
CREATE OR REPLACE FUNCTION payment.account_of_link(link_handle bytea)
RETURNS TABLE (merchant_account_id bytea, link_id bytea, name text, settings jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT a.merchant_account_id, l.id, a.name, a.settings
  FROM payment_links l
  JOIN merchant_accounts a USING (merchant_account_id)
  WHERE l.handle = link_handle
$$;

ALTER FUNCTION payment.account_of_link(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.account_of_link(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.account_of_link(bytea) TO payment_app;
