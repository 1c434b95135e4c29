-- The merchant account that a statement named: it sees the rows of that one, whatever its WHERE
-- says. Asked by the policies of the tables.
CREATE OR REPLACE FUNCTION payment.tenant()
RETURNS bytea
LANGUAGE sql STABLE
AS $$
  SELECT decode(nullif(current_setting('app.merchant_account_id', true), ''), 'hex')
$$;
