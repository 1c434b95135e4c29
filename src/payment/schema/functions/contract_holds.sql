-- Contracts that a person holds, of all accounts: open, nothing new is sent under it; closed, it is
-- well whatever its calls say. One whose time is over ends here, and says so among the changes; so
-- does the hold of a whole provider.
CREATE OR REPLACE FUNCTION payment.contract_holds()
RETURNS TABLE (contract_id bytea, held text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH over AS MATERIALIZED (
    SELECT c.id, c.provider, c.held
    FROM contracts c
    WHERE c.held_until <= (SELECT payment.now())
      AND c.held IS NOT NULL
    FOR UPDATE SKIP LOCKED
  ),
  ended AS (
    UPDATE contracts c
    SET held = NULL, held_until = NULL
    WHERE c.id = ANY (ARRAY(SELECT id FROM over))
    RETURNING c.id
  ),
  told AS (
    INSERT INTO health_changes (provider, contract_id, from_state, to_state, reason)
    SELECT provider, id, held, 'closed', 'the time it was held for is over'
    FROM over
  ),
  over_of_providers AS MATERIALIZED (
    SELECT p.name, p.held, p.health
    FROM providers p
    WHERE p.held_until <= (SELECT payment.now())
      AND p.held IS NOT NULL
    FOR UPDATE SKIP LOCKED
  ),
  ended_of_providers AS (
    UPDATE providers p
    SET held = NULL, held_until = NULL
    WHERE p.name = ANY (ARRAY(SELECT name FROM over_of_providers))
  ),
  told_of_providers AS (
    INSERT INTO health_changes (provider, from_state, to_state, reason)
    SELECT name, held, health, 'the time it was held for is over'
    FROM over_of_providers
  )
  SELECT c.id, c.held
  FROM contracts c
  WHERE c.held_until > (SELECT payment.now())
    AND c.held IS NOT NULL
$$;

ALTER FUNCTION payment.contract_holds() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.contract_holds() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.contract_holds() TO payment_app;
