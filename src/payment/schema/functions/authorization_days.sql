-- How many days authorizations hold, over all contracts. For the job that ends them.
CREATE OR REPLACE FUNCTION payment.authorization_days()
RETURNS SETOF smallint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT DISTINCT authorization_days FROM contracts
$$;

ALTER FUNCTION payment.authorization_days() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.authorization_days() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.authorization_days() TO payment_app;
