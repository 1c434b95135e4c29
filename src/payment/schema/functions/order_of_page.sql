-- Whose the page of an authentication is: a payer comes with nothing but its handle.
CREATE OR REPLACE FUNCTION payment.order_of_page(page bytea)
RETURNS TABLE (merchant_account_id bytea, order_id bytea, transaction_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT merchant_account_id, order_id, transaction_id
  FROM authentications
  WHERE handle = page
$$;

ALTER FUNCTION payment.order_of_page(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.order_of_page(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.order_of_page(bytea) TO payment_app;
