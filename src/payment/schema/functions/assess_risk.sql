-- Looks into the lists, counts, and, where nothing refuses, records the attempt: one round trip,
-- before an attempt is accepted. may_record: no rule that needs only the payment refuses it; an
-- allow list lets it through all the same, and what is let through counts. Attempts of one subject
-- pass one after the other, each in a snapshot of its own, so no two of them take the same last
-- place. A rule refuses when what was seen and this attempt are above its limit. What `seen` tells
-- of a rule that says nothing is no more than that (risk_seen).
CREATE OR REPLACE FUNCTION payment.assess_risk(
  account bytea,
  listed bytea[],
  subjects bytea[],
  measures text[],
  windows int[],
  limits bigint[],
  refusing boolean[],
  may_record boolean,
  recorded bytea[],
  which_order bytea,
  which_transaction bytea,
  minor bigint,
  code char(3)
)
RETURNS TABLE (blocked bytea, allowed bytea, seen bigint[])
LANGUAGE plpgsql VOLATILE SET search_path = payment, pg_temp
AS $$
DECLARE
  one bytea;
  counted bigint;
  room bigint;
  over boolean := false;
  moment timestamptz;
BEGIN
  IF cardinality(listed) > 0 THEN
    moment := payment.now();
    SELECT e.subject INTO blocked
    FROM risk_entries e
    WHERE e.merchant_account_id = account
      AND e.subject = ANY (listed)
      AND e.verdict = 'block'
      AND (e.until IS NULL OR e.until > moment)
    ORDER BY array_position(listed, e.subject)
    LIMIT 1;
    SELECT e.subject INTO allowed
    FROM risk_entries e
    WHERE e.merchant_account_id = account
      AND e.subject = ANY (listed)
      AND e.verdict = 'allow'
      AND (e.until IS NULL OR e.until > moment)
    ORDER BY array_position(listed, e.subject)
    LIMIT 1;
  END IF;
  seen := '{}';
  IF blocked IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;

  -- In one order everywhere, so that none waits for another in a ring. Rules that only mark need no
  -- exact count: attempts of one subject do not wait for each other, and none is turned away
  -- because too many wait.
  IF true = ANY (refusing) OR NOT may_record THEN
    FOR one IN
      SELECT x
      FROM unnest(recorded) x
      ORDER BY x
    LOOP
      PERFORM pg_advisory_xact_lock(hashtextextended(encode(one, 'hex'), 0));
    END LOOP;
  END IF;

  moment := payment.now();
  FOR i IN 1 .. cardinality(subjects) LOOP
    room := limits[i] - CASE WHEN measures[i] = 'amount' THEN minor ELSE 1 END;
    counted := payment.risk_seen(
      account, subjects[i], measures[i], windows[i], code, moment, room);
    seen := seen || counted;
    over := over OR refusing[i] AND counted > room;
  END LOOP;

  IF cardinality(recorded) > 0 AND (allowed IS NOT NULL OR may_record AND NOT over) THEN
    -- the order's own commit follows and is durable, and the log is written in order: this one need
    -- not wait for the disk
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO risk_sightings (
      merchant_account_id, subject, at, transaction_id, order_id, amount_minor, currency
    )
    SELECT account, x, moment, which_transaction, which_order, minor, code
    FROM unnest(recorded) x;
  END IF;
  RETURN NEXT;
END
$$;

REVOKE EXECUTE ON FUNCTION payment.assess_risk FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.assess_risk TO payment_app;
