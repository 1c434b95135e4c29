-- Where a person is a member. For the back office.
CREATE OR REPLACE FUNCTION payment.accounts_of_person(which bytea)
RETURNS TABLE (
  merchant_account_id bytea,
  name text,
  role text,
  role_name text,
  role_rights text[]
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT a.merchant_account_id, a.name, m.role, r.name, r.rights
  FROM members m
  JOIN merchant_accounts a USING (merchant_account_id)
  LEFT JOIN roles r ON r.merchant_account_id = m.merchant_account_id AND r.id = m.role_id
  WHERE m.person_id = which
  ORDER BY a.name, a.merchant_account_id
$$;

ALTER FUNCTION payment.accounts_of_person(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.accounts_of_person(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.accounts_of_person(bytea) TO payment_app;
