-- Open findings of merchant accounts that are not here: the line of a provider's file named one that has
-- no page. For florin review.
CREATE OR REPLACE FUNCTION payment.stray_findings(room int)
RETURNS TABLE (
  id bytea,
  merchant_account_id bytea,
  provider text,
  kind text,
  what text,
  reference bytea,
  order_id bytea,
  theirs text,
  amount_minor bigint,
  currency text,
  source text,
  found_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT
    f.id, f.merchant_account_id, f.provider, f.kind, f.what, f.reference, f.order_id, f.theirs,
    f.amount_minor, f.currency, f.source, f.found_at
  FROM reconcile_findings f
  WHERE f.state = 'open'
    AND NOT EXISTS (
      SELECT FROM merchant_accounts a
      WHERE a.merchant_account_id = f.merchant_account_id
    )
  ORDER BY f.id
  LIMIT room
$$;

ALTER FUNCTION payment.stray_findings(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.stray_findings(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.stray_findings(int) TO payment_app;
