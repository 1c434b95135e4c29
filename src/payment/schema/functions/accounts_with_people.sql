-- How many accounts somebody works in, or was invited into, as far as two. For keys that are brought.
CREATE OR REPLACE FUNCTION payment.accounts_with_people()
RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT count(*)::int
  FROM (
    SELECT 1
    FROM merchant_accounts a
    WHERE EXISTS (SELECT FROM members m WHERE m.merchant_account_id = a.merchant_account_id)
      OR EXISTS (SELECT FROM invitations i WHERE i.merchant_account_id = a.merchant_account_id)
    LIMIT 2
  ) peopled
$$;

ALTER FUNCTION payment.accounts_with_people() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.accounts_with_people() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.accounts_with_people() TO payment_app;
