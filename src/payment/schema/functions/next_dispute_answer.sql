-- When an answer to a dispute is taken up next. For a sandbox's clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_dispute_answer()
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT min(due_at)
  FROM dispute_answers
  WHERE due_at > '-infinity'
    AND state IN ('requested', 'in_doubt')
$$;

ALTER FUNCTION payment.next_dispute_answer() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_dispute_answer() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_dispute_answer() TO payment_app;
