-- Rows of the ledger in the order of their key, each with the operation or the dispute and the
-- order that it names, where they are there. For the checks of the ledger.
CREATE OR REPLACE FUNCTION payment.ledger_after(
  after bytea,
  after_posting text,
  after_line int,
  room int
)
RETURNS TABLE (
  source_id bytea,
  posting text,
  line smallint,
  merchant_account_id bytea,
  order_id bytea,
  debit text,
  credit text,
  currency text,
  amount_minor bigint,
  owner bytea,
  kind text,
  state text,
  has_order boolean
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT
    e.source_id, e.posting, e.line, e.merchant_account_id, e.order_id,
    e.debit, e.credit, e.currency, e.amount_minor,
    coalesce(p.merchant_account_id, d.merchant_account_id),
    coalesce(p.kind, CASE WHEN d.id IS NOT NULL THEN 'dispute' END),
    coalesce(p.state, d.state),
    o.id IS NOT NULL
  FROM (
    SELECT *
    FROM ledger_entries x
    WHERE (x.source_id, x.posting, x.line) > (after, after_posting, after_line)
    ORDER BY x.source_id, x.posting, x.line
    LIMIT room
  ) e
  LEFT JOIN operations p ON p.order_id = e.order_id AND p.id = e.source_id
  LEFT JOIN disputes d ON d.order_id = e.order_id AND d.id = e.source_id
  LEFT JOIN orders o ON o.merchant_account_id = e.merchant_account_id AND o.id = e.order_id
  ORDER BY e.source_id, e.posting, e.line
$$;

ALTER FUNCTION payment.ledger_after(bytea, text, int, int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.ledger_after(bytea, text, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.ledger_after(bytea, text, int, int) TO payment_app;
