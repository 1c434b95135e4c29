-- API keys that have come to their end. For the job of time, which takes them from the vault.
CREATE OR REPLACE FUNCTION payment.ended_keys(room int)
RETURNS TABLE (id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT id, merchant_account_id
  FROM api_keys
  WHERE revoked_at IS NULL
    AND ends_at <= (SELECT payment.now())
  ORDER BY ends_at
  LIMIT room
$$;

ALTER FUNCTION payment.ended_keys(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.ended_keys(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.ended_keys(int) TO payment_app;
