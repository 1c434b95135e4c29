-- Follows the events of up to `span` transactions and answers how many transactions are left; NULL:
-- another process is at it. A transaction below the snapshot's xmin has ended, so what it wrote is
-- seen now or never. A database that was restored into a younger cluster counts from where that one
-- is. When none is left, orders of before there were sums are counted, a portion at a time. For the
-- worker.
CREATE OR REPLACE FUNCTION payment.follow_orders(span int)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  begins bigint;
  ended bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  ends bigint;
  accounts bytea[];
  ids bytea[];
  facts search_fact[];
  left_over bigint;
BEGIN
  SELECT next_tx INTO begins FROM order_search_state FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  ends := CASE WHEN begins > ended THEN 9223372036854775807 ELSE least(ended, begins + span) END;
  SELECT array_agg(e.merchant_account_id::bytea), array_agg(e.subject_id::bytea)
  INTO accounts, ids
  FROM (
    SELECT DISTINCT e.merchant_account_id, e.subject_id
    FROM events e
    WHERE e.tx >= begins
      AND e.tx < ends) e;
  IF ids IS NOT NULL THEN
    SELECT array_agg(f) INTO facts FROM search_facts(accounts, ids) f;
    IF facts IS NOT NULL THEN
      PERFORM put_search_facts(facts);
      INSERT INTO search_words (merchant_account_id, word, by_email, person)
      SELECT w.merchant_account_id, w.word, w.by_email, w.person
      FROM search_words_of(accounts, ids) w
      ON CONFLICT DO NOTHING;
    END IF;
  END IF;
  IF ends > begins THEN
    UPDATE order_search_state SET next_tx = least(ends, ended);
  END IF;
  left_over := ended - least(ends, ended);
  IF left_over = 0 AND count_earlier(span) THEN
    RETURN 1;
  END IF;
  RETURN left_over;
END
$$;

ALTER FUNCTION payment.follow_orders(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.follow_orders(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.follow_orders(int) TO payment_app;
