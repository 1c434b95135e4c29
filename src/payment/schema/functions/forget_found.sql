-- The search forgets a person: these orders are known by what stands in them now, and words that led
-- to the customer, or to an e-mail that no order has any more, go. Of the caller's account alone.
CREATE OR REPLACE FUNCTION payment.forget_found(ids bytea[], customer_id text, emails text[])
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  account bytea := payment.tenant();
BEGIN
  -- one at a time with follow_orders: each counts the difference to what it read
  PERFORM FROM order_search_state FOR UPDATE;
  PERFORM payment.put_search_facts(ARRAY(
    SELECT f::payment.search_fact
    FROM payment.search_facts(array_fill(account, ARRAY[cardinality(ids)]), ids) f
    JOIN order_search s ON s.merchant_account_id = account AND s.order_id = f.order_id
  ));
  DELETE FROM search_words w
  WHERE w.merchant_account_id = account
    AND (
      NOT w.by_email AND w.person = payment.search_hash(forget_found.customer_id)
      OR w.by_email
        AND w.person IN (SELECT payment.search_hash(e) FROM unnest(emails) e)
        AND NOT EXISTS (
          SELECT 1
          FROM order_search s
          WHERE s.merchant_account_id = account
            AND s.email = w.person
        )
    );
END
$$;

ALTER FUNCTION payment.forget_found(bytea[], text, text[]) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_found(bytea[], text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_found(bytea[], text, text[]) TO payment_app;
