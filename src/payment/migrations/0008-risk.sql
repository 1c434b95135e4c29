-- Risk (docs/decisions/0039): published rules, block and allow lists, and what velocity rules count. The rules in force are in the
-- account's own row, so that an account without any pays nothing. Lists and counts know their subjects by keyed hashes only.
ALTER TABLE payment.transactions ADD risk json;      -- what was assessed before the attempt was accepted; null: nothing was
CREATE TABLE payment.risk_versions (     -- every list of rules that was ever in force
  merchant_account_id payment.id24 NOT NULL, version int NOT NULL CHECK (version > 0), rules json NOT NULL, rolled_back_to int,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100), note text, at timestamptz NOT NULL DEFAULT payment.now(),
  PRIMARY KEY (merchant_account_id, version));
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.risk_versions FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
CREATE TABLE payment.risk_entries (      -- shown: the value with its personal part hidden
  merchant_account_id payment.id24 NOT NULL, subject bytea NOT NULL CHECK (octet_length(subject) = 16), id payment.id24 NOT NULL, kind text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('block','allow')), shown text NOT NULL, note text, by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100),
  at timestamptz NOT NULL DEFAULT payment.now(), until timestamptz, PRIMARY KEY (merchant_account_id, subject));
CREATE UNIQUE INDEX risk_entries_by_id ON payment.risk_entries (merchant_account_id, id);
CREATE TABLE payment.risk_sightings (    -- an attempt that was let through, by each subject that a rule counts
  merchant_account_id payment.id24 NOT NULL, subject bytea NOT NULL CHECK (octet_length(subject) = 16), at timestamptz NOT NULL, transaction_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL, amount_minor bigint NOT NULL, currency char(3) NOT NULL, PRIMARY KEY (merchant_account_id, subject, at, transaction_id));
CREATE INDEX risk_sightings_age ON payment.risk_sightings (at);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY string_to_array('risk_versions risk_entries risk_sightings', ' ') LOOP
    EXECUTE format('ALTER TABLE payment.%1$I ENABLE ROW LEVEL SECURITY; ALTER TABLE payment.%1$I FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON payment.%1$I TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
      CREATE POLICY queue ON payment.%1$I TO payment_queue USING (true) WITH CHECK (true); GRANT SELECT, INSERT ON payment.%1$I TO payment_app', t);
  END LOOP; END $$;
GRANT UPDATE (id, kind, verdict, shown, note, by_name, at, until), DELETE ON payment.risk_entries TO payment_app;
GRANT DELETE ON payment.risk_sightings TO payment_app;
GRANT SELECT, DELETE ON payment.risk_sightings TO payment_queue;

-- Looks into the lists, counts, and, where nothing refuses, records the attempt: one round trip. Attempts of one subject pass one
-- after the other, each in a snapshot of its own, so no two of them take the same last place. A rule refuses when what was seen
-- and this attempt are above its limit.
CREATE FUNCTION payment.assess_risk(account bytea, listed bytea[], subjects bytea[], measures text[], windows int[], limits bigint[], refusing boolean[], may_record boolean, recorded bytea[],
  which_order bytea, which_transaction bytea, minor bigint, code char(3)) RETURNS TABLE (blocked bytea, allowed bytea, seen bigint[])
LANGUAGE plpgsql SET search_path = payment, pg_temp AS $$
DECLARE one bytea; counted bigint; over boolean := false; moment timestamptz; BEGIN
  moment := payment.now();
  SELECT e.subject INTO blocked FROM risk_entries e WHERE e.merchant_account_id = account AND e.subject = ANY (listed) AND e.verdict = 'block' AND (e.until IS NULL OR e.until > moment) ORDER BY array_position(listed, e.subject) LIMIT 1;
  SELECT e.subject INTO allowed FROM risk_entries e WHERE e.merchant_account_id = account AND e.subject = ANY (listed) AND e.verdict = 'allow' AND (e.until IS NULL OR e.until > moment) ORDER BY array_position(listed, e.subject) LIMIT 1;
  seen := '{}';
  IF blocked IS NOT NULL THEN RETURN NEXT; RETURN; END IF;
  -- in one order everywhere, so that none waits for another in a ring
  FOR one IN SELECT x FROM unnest(recorded) x ORDER BY x LOOP PERFORM pg_advisory_xact_lock(hashtextextended(encode(one, 'hex'), 0)); END LOOP;
  moment := payment.now();
  FOR i IN 1 .. cardinality(subjects) LOOP
    -- an attempt that is not stored yet is one that is being stored, for a minute; then it never was
    SELECT CASE measures[i]
        WHEN 'attempts' THEN count(*) FILTER (WHERE x.stored OR x.fresh)
        WHEN 'successes' THEN count(DISTINCT x.order_id) FILTER (WHERE x.holds OR x.fresh)
        WHEN 'declines' THEN count(*) FILTER (WHERE x.stored) - count(DISTINCT x.order_id) FILTER (WHERE x.holds)
        ELSE coalesce(sum(x.amount_minor) FILTER (WHERE x.newest AND x.currency = code AND (x.holds OR x.fresh)), 0) END INTO counted
      FROM (SELECT s.order_id, s.amount_minor, s.currency, t.id IS NOT NULL AS stored, t.id IS NULL AND s.at > moment - interval '1 minute' AS fresh,
          t.id IS NOT NULL AND (o.live OR o.winner_id IS NOT NULL) AS holds, row_number() OVER (PARTITION BY s.order_id ORDER BY s.at DESC) = 1 AS newest
        FROM (SELECT * FROM risk_sightings r WHERE r.merchant_account_id = account AND r.subject = subjects[i] AND r.at > moment - make_interval(secs => windows[i])
          ORDER BY r.at DESC LIMIT 5000) s
        LEFT JOIN transactions t ON t.order_id = s.order_id AND t.id = s.transaction_id AND t.merchant_account_id = account
        LEFT JOIN orders o ON o.merchant_account_id = account AND o.id = s.order_id) x;
    seen := seen || counted;
    over := over OR refusing[i] AND counted + CASE WHEN measures[i] = 'amount' THEN minor ELSE 1 END > limits[i];
  END LOOP;
  IF may_record AND cardinality(recorded) > 0 AND (allowed IS NOT NULL OR NOT over) THEN
    -- the order's own commit follows and is durable, and the log is written in order: this one need not wait for the disk
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO risk_sightings (merchant_account_id, subject, at, transaction_id, order_id, amount_minor, currency)
      SELECT account, x, moment, which_transaction, which_order, minor, code FROM unnest(recorded) x;
    DELETE FROM risk_sightings r WHERE r.merchant_account_id = account AND r.subject = ANY (recorded) AND r.at < moment - interval '31 days';
  END IF;
  RETURN NEXT; END $$;
-- no rule looks further back than 30 days
CREATE FUNCTION payment.forget_sightings(room int) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH old AS MATERIALIZED (SELECT s.merchant_account_id, s.subject, s.at, s.transaction_id FROM risk_sightings s
    WHERE s.at < (SELECT payment.now()) - interval '31 days' ORDER BY s.at LIMIT room),
  gone AS (DELETE FROM risk_sightings s USING old WHERE s.merchant_account_id = old.merchant_account_id AND s.subject = old.subject AND s.at = old.at
    AND s.transaction_id = old.transaction_id RETURNING 1) SELECT count(*) FROM gone $$;
REVOKE EXECUTE ON FUNCTION payment.assess_risk(bytea, bytea[], bytea[], text[], int[], bigint[], boolean[], boolean, bytea[], bytea, bytea, bigint, char) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.assess_risk(bytea, bytea[], bytea[], text[], int[], bigint[], boolean[], boolean, bytea[], bytea, bytea, bigint, char) TO payment_app;
GRANT CREATE ON SCHEMA payment TO payment_queue;
ALTER FUNCTION payment.forget_sightings(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_sightings(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_sightings(int) TO payment_app;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
