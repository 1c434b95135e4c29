-- Tokens whose cards the vault is to delete, each for one worker at a time. For the worker.
CREATE OR REPLACE FUNCTION payment.claim_removals(room int, lease interval)
RETURNS TABLE (merchant_account_id bytea, token_hash bytea, tries int)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT r.merchant_account_id, r.token_hash
    FROM card_removals r
    WHERE r.due_at <= (SELECT payment.now())
    ORDER BY r.due_at
    LIMIT room
    FOR UPDATE OF r SKIP LOCKED
  )
  UPDATE card_removals r
  SET tries = r.tries + 1, due_at = payment.now() + lease
  FROM due
  WHERE r.merchant_account_id = due.merchant_account_id
    AND r.token_hash = due.token_hash
  RETURNING r.merchant_account_id, r.token_hash, r.tries
$$;

ALTER FUNCTION payment.claim_removals(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_removals(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_removals(int, interval) TO payment_app;
