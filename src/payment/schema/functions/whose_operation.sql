-- Where an operation is, by its id alone: in the queue itself or as what an open reversal undoes;
-- else contradicted, booked, or ruled on. For florin review.
CREATE OR REPLACE FUNCTION payment.whose_operation(which bytea)
RETURNS TABLE (order_id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT order_id, merchant_account_id
  FROM (
    (
      SELECT p.order_id, p.merchant_account_id
      FROM operations p
      WHERE p.state IN ('requested', 'in_doubt', 'review')
        AND p.due_at > '-infinity'
        AND (p.id = which OR p.kind = 'reversal' AND p.target_id = which)
      LIMIT 1
    )
    UNION ALL
    (
      SELECT c.order_id, c.merchant_account_id
      FROM contradictions c
      WHERE c.state = 'open'
        AND c.operation_id = which
      LIMIT 1
    )
    UNION ALL
    (
      SELECT e.order_id, e.merchant_account_id
      FROM ledger_entries e
      WHERE e.source_id = which
      LIMIT 1
    )
    UNION ALL
    (
      SELECT r.order_id, r.merchant_account_id
      FROM rulings r
      WHERE r.operation_id = which
      LIMIT 1
    )
  ) x
  LIMIT 1
$$;

ALTER FUNCTION payment.whose_operation(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.whose_operation(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.whose_operation(bytea) TO payment_app;
