-- Tells accounts that new payments do not go to a contract as usual any more, or do again: once for
-- each turn, whatever the cause. Steps between make no event. Called by the trigger tell_health of
-- health_changes.
CREATE OR REPLACE FUNCTION payment.tell_health()
RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  -- of what a contract declines with one scheme: each has its own turns
  was_left boolean := NEW.from_state IN ('open', 'half', 'spread');
  is_left_now boolean := NEW.to_state IN ('open', 'half', 'spread');
BEGIN
  WITH affected AS (
    SELECT
      c.id, c.merchant_account_id, c.left_alone,
      CASE
        WHEN c.held IS NOT NULL THEN c.held = 'open'
        WHEN coalesce(p.held, p.health) = 'spread' THEN c.left_alone
        ELSE coalesce(p.held, p.health, 'closed') IN ('open', 'half')
      END AS is_left
    FROM contracts c
    LEFT JOIN providers p ON p.name = c.provider
    WHERE c.provider = NEW.provider
      AND c.enabled
      AND (NEW.contract_id IS NULL OR c.id = NEW.contract_id)
      AND (
        c.left_alone
        OR EXISTS (
          SELECT 1
          FROM endpoints n
          WHERE n.merchant_account_id = c.merchant_account_id
            AND n.state = 'on'
            AND 'provider.health_changed' = ANY (n.events)
        )
      )
    ORDER BY c.id
  ),
  turned AS (
    UPDATE contracts c
    SET left_alone = affected.is_left
    FROM affected
    WHERE c.id = affected.id
      AND c.left_alone <> affected.is_left
      AND NEW.scheme IS NULL
    RETURNING c.id, c.merchant_account_id, affected.is_left
  ),
  told AS (
    SELECT id, merchant_account_id, turned.is_left
    FROM turned
    UNION ALL
    SELECT id, merchant_account_id, is_left_now
    FROM affected
    WHERE NEW.scheme IS NOT NULL
      AND is_left_now <> was_left
  )
  INSERT INTO events (subject_id, seq, merchant_account_id, type, at, payload)
  SELECT
    told.id,
    1 + coalesce((SELECT max(e.seq) FROM events e WHERE e.subject_id = told.id), 0),
    told.merchant_account_id, 'provider.health_changed', payment.now(),
    json_build_object(
      'provider', NEW.provider,
      'contract', encode(told.id, 'hex'),
      'scheme', NEW.scheme,
      'takes_payments', NOT told.is_left,
      'from', NEW.from_state,
      'to', NEW.to_state,
      'reason', coalesce(NEW.told, NEW.reason)
    )
  FROM told;
  RETURN NULL;
END
$$;

ALTER FUNCTION payment.tell_health() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.tell_health() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.tell_health() TO payment_app;
