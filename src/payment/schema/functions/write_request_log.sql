-- Writes what one process has gathered, of all accounts: a page each, in one statement. The orders
-- of a page are ids of 12 bytes, one behind the other.
CREATE OR REPLACE FUNCTION payment.write_request_log(
  accounts bytea[],
  ids bytea[],
  some_refused boolean[],
  orders_of bytea[],
  facts_of bytea[],
  bodies_of bytea[]
)
RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  INSERT INTO request_log (merchant_account_id, at, id, refused, orders, facts, bodies)
  SELECT
    x.account,
    -- what a cursor can say again
    date_trunc('milliseconds', clock_timestamp()),
    x.id,
    x.refused,
    ARRAY(
      SELECT substr(x.orders, 12 * n + 1, 12)
      FROM generate_series(0, octet_length(x.orders) / 12 - 1) n
    ),
    x.facts,
    x.bodies
  FROM unnest(
      accounts::bytea[], ids::bytea[], some_refused::boolean[], orders_of::bytea[],
      facts_of::bytea[], bodies_of::bytea[]
    )
    AS x (account, id, refused, orders, facts, bodies)
  ON CONFLICT DO NOTHING
$$;

ALTER FUNCTION payment.write_request_log(bytea[], bytea[], boolean[], bytea[], bytea[], bytea[])
  OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION
  payment.write_request_log(bytea[], bytea[], boolean[], bytea[], bytea[], bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  payment.write_request_log(bytea[], bytea[], boolean[], bytea[], bytea[], bytea[]) TO payment_app;
