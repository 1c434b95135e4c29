-- Brings the next orders that were followed before there were sums into them, the newest of each
-- account first; answers whether more may be there. Called by follow_orders, which holds the row of
-- the state.
CREATE OR REPLACE FUNCTION payment.count_earlier(room int)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  below order_search_state;
  accounts bytea[];
  ids bytea[];
  facts search_fact[];
BEGIN
  SELECT * INTO below FROM order_search_state;
  IF below.uncounted_account IS NULL THEN
    RETURN false;
  END IF;
  SELECT array_agg(s.merchant_account_id::bytea), array_agg(s.order_id::bytea)
  INTO accounts, ids
  FROM (
    SELECT x.merchant_account_id, x.order_id
    FROM order_search x
    WHERE (x.merchant_account_id, x.order_id) < (below.uncounted_account, below.uncounted_order)
    ORDER BY x.merchant_account_id DESC, x.order_id DESC
    LIMIT room
  ) s;
  IF ids IS NOT NULL THEN
    SELECT array_agg(f) INTO facts FROM search_facts(accounts, ids) f;
    PERFORM put_search_facts(facts);
  END IF;
  UPDATE order_search_state
  SET
    uncounted_account = accounts[array_upper(accounts, 1)],
    uncounted_order = ids[array_upper(ids, 1)];
  RETURN ids IS NOT NULL;
END
$$;

ALTER FUNCTION payment.count_earlier(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.count_earlier(int) FROM PUBLIC;
