-- The search forgets a person: these orders are known by what stands in them now, and words that led
-- to the customer or to one of the e-mails go, but for those of other orders that have it, too. Of the
-- caller's account alone.
CREATE OR REPLACE FUNCTION payment.forget_found(ids bytea[], customer_id text, emails text[])
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  account bytea := payment.tenant();
  customer_hash bigint := search_hash(customer_id);
  email_hashes bigint[] := ARRAY(SELECT search_hash(e) FROM unnest(emails) e);
  most_others CONSTANT int := 100;
  others bytea[];
BEGIN
  -- one at a time with follow_orders: each counts the difference to what it read
  PERFORM FROM order_search_state FOR UPDATE;
  PERFORM payment.put_search_facts(ARRAY(
    SELECT f::payment.search_fact
    FROM payment.search_facts(array_fill(account, ARRAY[cardinality(ids)]), ids) f
    JOIN order_search s ON s.merchant_account_id = account AND s.order_id = f.order_id
  ));
  others := ARRAY(
    SELECT s.order_id
    FROM order_search s
    WHERE s.merchant_account_id = account
      AND (s.customer = customer_hash OR s.email = ANY (email_hashes))
    LIMIT most_others + 1
  );
  -- while so many have it, all words stay: most are the person's own, and are erased next
  IF cardinality(others) > most_others THEN
    RETURN;
  END IF;
  DELETE FROM search_words w
  WHERE w.merchant_account_id = account
    AND (
      NOT w.by_email AND w.person = customer_hash
      OR w.by_email AND w.person = ANY (email_hashes)
    );
  INSERT INTO search_words (merchant_account_id, word, by_email, person)
  SELECT w.merchant_account_id, w.word, w.by_email, w.person
  FROM search_words_of(array_fill(account, ARRAY[cardinality(others)]), others) w
  ON CONFLICT DO NOTHING;
END
$$;

ALTER FUNCTION payment.forget_found(bytea[], text, text[]) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_found(bytea[], text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_found(bytea[], text, text[]) TO payment_app;
