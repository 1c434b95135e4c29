-- Whose single sign-on people of a domain are sent to. For the back office.
CREATE OR REPLACE FUNCTION payment.sign_on_of_domain(which text)
RETURNS TABLE (merchant_account_id bytea, issuer text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT s.merchant_account_id, s.issuer
  FROM sign_on_domains d
  JOIN sign_on s USING (merchant_account_id)
  WHERE d.domain = which
$$;

ALTER FUNCTION payment.sign_on_of_domain(text) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.sign_on_of_domain(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.sign_on_of_domain(text) TO payment_app;
