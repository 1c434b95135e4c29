-- An operator says what a finding is whose merchant account is not here. Those of an account that is
-- here are settled by its own people, and not found.
CREATE OR REPLACE FUNCTION payment.settle_stray_finding(which bytea, why text, who text)
RETURNS TABLE (
  merchant_account_id bytea,
  order_id bytea,
  kind text,
  what text,
  source text
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  UPDATE reconcile_findings f
  SET state = 'settled', ended_at = payment.now(), note = why, by_name = who
  WHERE f.id = which
    AND f.state = 'open'
    AND NOT EXISTS (
      SELECT FROM merchant_accounts a
      WHERE a.merchant_account_id = f.merchant_account_id
    )
  RETURNING f.merchant_account_id, f.order_id, f.kind, f.what, f.source
$$;

ALTER FUNCTION payment.settle_stray_finding(bytea, text, text) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.settle_stray_finding(bytea, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.settle_stray_finding(bytea, text, text) TO payment_app;
