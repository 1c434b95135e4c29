-- Accounts of a person that are entered by single sign-on alone. For the back office.
CREATE OR REPLACE FUNCTION payment.sign_on_alone(which bytea)
RETURNS TABLE (merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT s.merchant_account_id
  FROM members m
  JOIN sign_on s USING (merchant_account_id)
  WHERE m.person_id = which
    AND NOT s.passwords
$$;

ALTER FUNCTION payment.sign_on_alone(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.sign_on_alone(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.sign_on_alone(bytea) TO payment_app;
