-- Messages of providers that were stored but not applied by the process that took them, each for
-- one worker at a time; one that could not be applied comes again behind those that wait. For the
-- worker.
CREATE OR REPLACE FUNCTION payment.claim_events(older interval, room int)
RETURNS TABLE (contract_id bytea, event_ref text, merchant_account_id bytea, provider text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH due AS MATERIALIZED (
    SELECT e.merchant_account_id, e.contract_id, e.event_ref
    FROM provider_events e
    WHERE e.state = 'received'
      AND e.received_at > '-infinity'
      AND coalesce(e.looked_at, e.received_at) < (SELECT payment.now()) - older::interval
    ORDER BY coalesce(e.looked_at, e.received_at)
    LIMIT room
    FOR UPDATE OF e SKIP LOCKED)
  UPDATE provider_events e
  SET looked_at = payment.now()
  FROM due
  WHERE e.merchant_account_id = due.merchant_account_id
    AND e.contract_id = due.contract_id
    AND e.event_ref = due.event_ref
  RETURNING e.contract_id::bytea, e.event_ref, e.merchant_account_id::bytea, e.provider
$$;

ALTER FUNCTION payment.claim_events(interval, int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_events(interval, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_events(interval, int) TO payment_app;
