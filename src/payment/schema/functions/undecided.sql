-- What waits for a proof or a person: the queue without what is only under way (of that, reversals:
-- one that never reaches the provider stays so), and what is contradicted. For florin review.
CREATE OR REPLACE FUNCTION payment.undecided(room int)
RETURNS TABLE (
  id bytea,
  order_id bytea,
  merchant_account_id bytea,
  transaction_id bytea,
  provider text,
  kind text,
  state text,
  amount_minor bigint,
  currency text,
  created_at timestamptz,
  due_at timestamptz,
  tries int,
  held text,
  said text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  (
    SELECT
      p.id, p.order_id, p.merchant_account_id, p.transaction_id, p.provider, p.kind, p.state,
      p.amount_minor, p.currency, p.created_at, p.due_at, p.tries, NULL::text, NULL::text
    FROM operations p
    WHERE p.state IN ('requested', 'in_doubt', 'review')
      AND p.due_at > '-infinity'
      AND (p.state <> 'requested' OR p.kind = 'reversal')
    ORDER BY p.created_at
    LIMIT room
  )
  UNION ALL
  (
    SELECT
      c.operation_id, c.order_id, c.merchant_account_id, c.transaction_id, c.provider, c.kind,
      'contradicted',
      c.amount_minor, c.currency, c.opened_at, c.due_at, c.tries, c.held, c.said
    FROM contradictions c
    WHERE c.state = 'open'
      AND c.due_at > '-infinity'
    ORDER BY c.due_at
    LIMIT room
  )
  ORDER BY 10
  LIMIT room
$$;

ALTER FUNCTION payment.undecided(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.undecided(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.undecided(int) TO payment_app;
