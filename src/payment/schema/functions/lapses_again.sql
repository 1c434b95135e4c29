-- Authorizations whose time is over but of which something was undecided, when they are to be
-- looked at again. For the job that ends them.
CREATE OR REPLACE FUNCTION payment.lapses_again(room int)
RETURNS TABLE (order_id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT order_id, merchant_account_id
  FROM lapses
  WHERE due_at <= (SELECT payment.now())
  ORDER BY due_at
  LIMIT room
$$;

ALTER FUNCTION payment.lapses_again(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.lapses_again(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.lapses_again(int) TO payment_app;
