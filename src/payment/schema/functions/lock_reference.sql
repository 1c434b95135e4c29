-- Of two transactions that begin or end a payment of one reference, the second one waits here until
-- the first has ended, and sees what it did. Until the end of the transaction.
CREATE OR REPLACE FUNCTION payment.lock_reference(merchant_account_id bytea, order_merchant_id text)
RETURNS void
LANGUAGE sql VOLATILE
AS $$
  SELECT pg_advisory_xact_lock(
    hashtextextended(encode(merchant_account_id, 'hex') || ' ' || order_merchant_id, 0)
  )
$$;

REVOKE EXECUTE ON FUNCTION payment.lock_reference(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.lock_reference(bytea, text) TO payment_app;
