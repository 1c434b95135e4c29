-- API keys: rolled ones end by themselves, and one sees which are still used.
ALTER TABLE payment.api_keys ADD ends_at timestamptz, ADD last_used_at timestamptz;
GRANT UPDATE (ends_at, last_used_at) ON payment.api_keys TO payment_app;

-- which keys have come to their end
CREATE FUNCTION payment.ended_keys(room int) RETURNS TABLE (id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT id, merchant_account_id FROM api_keys WHERE revoked_at IS NULL AND ends_at <= (SELECT payment.now()) ORDER BY ends_at LIMIT room $$;
CREATE INDEX api_keys_ending ON payment.api_keys (ends_at) WHERE revoked_at IS NULL AND ends_at IS NOT NULL;

GRANT CREATE ON SCHEMA payment TO payment_queue;
ALTER FUNCTION payment.ended_keys(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.ended_keys(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.ended_keys(int) TO payment_app;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
