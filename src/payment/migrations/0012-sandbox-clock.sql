-- The clock of a sandbox (contract 15.4): where it is to go, who moves it there, and when what is due next. It never goes back.
ALTER TABLE payment.clock ADD goal interval NOT NULL DEFAULT '0', ADD driven_until timestamptz NOT NULL DEFAULT '-infinity', ADD driver payment.id24;
GRANT UPDATE (shift, goal, driven_until, driver) ON payment.clock TO payment_app;
-- a sandbox without an account has seen nothing yet: its clock may begin at any moment (florin order show --replay)
CREATE FUNCTION payment.never_back() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM merchant_accounts) THEN RAISE EXCEPTION 'moving back refused on payment.clock' USING ERRCODE = '23514'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER never_back BEFORE UPDATE ON payment.clock FOR EACH ROW WHEN (NEW.shift < OLD.shift OR NEW.goal < OLD.goal) EXECUTE FUNCTION payment.never_back();
-- faults of our own sending (contract 15.4, operation notification); those of providers stand at the simulated one
CREATE TABLE payment.notification_faults (
  id payment.id24 NOT NULL, merchant_account_id payment.id24 NOT NULL, fault text NOT NULL CHECK (fault IN ('refuse_connection','timeout_not_taken','timeout_taken','http_500_before','http_500_after')),
  times smallint NOT NULL CHECK (times BETWEEN 1 AND 100), remaining smallint NOT NULL CHECK (remaining BETWEEN 0 AND 100), match jsonb NOT NULL,
  PRIMARY KEY (merchant_account_id, id));
ALTER TABLE payment.notification_faults ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.notification_faults FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.notification_faults TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
GRANT SELECT, INSERT, DELETE, UPDATE (remaining) ON payment.notification_faults TO payment_app;

-- The functions that look across merchant accounts. When a source of work has something to do next, on the deployment's clock.
GRANT SELECT ON payment.jobs TO payment_queue;
GRANT SELECT, DELETE ON payment.idempotency_keys TO payment_queue;
CREATE FUNCTION payment.next_due(source text) RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT CASE source
    WHEN 'operations' THEN (SELECT min(due_at) FROM operations WHERE due_at > '-infinity' AND state IN ('requested','in_doubt','review')
      AND provider <> ALL (ARRAY(SELECT name FROM providers WHERE health = 'open')))
    -- a provider that is down is probed every few seconds, and looked for no closer than by the minute
    WHEN 'probes' THEN (SELECT date_trunc('minute', min(next_probe_at)) + interval '1 min' FROM providers WHERE health = 'open' AND next_probe_at > '-infinity')
    WHEN 'messages' THEN (SELECT min(received_at) + interval '30 s' FROM provider_events WHERE received_at > '-infinity' AND state = 'received')
    WHEN 'removals' THEN (SELECT min(due_at) FROM card_removals WHERE due_at > '-infinity')
    WHEN 'lapses' THEN (SELECT min(due_at) FROM lapses WHERE due_at > '-infinity')
    WHEN 'checkouts' THEN (SELECT min(expires_at) FROM checkouts
      WHERE status = 'created' AND expires_at > coalesce((SELECT at FROM jobs WHERE name = 'expire checkouts'), '-infinity'))
    WHEN 'authorizations' THEN (SELECT min(to_timestamp(('x' || encode(substring(f.id FROM 1 FOR 4), 'hex'))::bit(32)::bigint) + make_interval(days => d.days))
      FROM (SELECT DISTINCT authorization_days AS days FROM contracts) d
      CROSS JOIN merchant_accounts a
      CROSS JOIN LATERAL (SELECT o.id FROM orders o WHERE o.merchant_account_id = a.merchant_account_id AND o.live
        AND o.id > coalesce((SELECT position FROM jobs WHERE name = format('lapse after %s days', d.days)), '\x000000000000000000000000') AND (o.winner_id IS NULL OR o.authorized_minor > o.released_minor + o.captured_minor)
        AND EXISTS (SELECT 1 FROM (SELECT t.contract_id FROM transactions t WHERE t.order_id = o.id ORDER BY t.attempt DESC LIMIT 1) l
          JOIN contracts c ON c.id = l.contract_id AND c.merchant_account_id = o.merchant_account_id AND c.authorization_days = d.days)
        ORDER BY o.id LIMIT 1) f) END $$;
-- Idempotency-Keys past their time (contract 2.9): 30 days for orders and maintenance, 72 hours otherwise
CREATE FUNCTION payment.forget_keys() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH gone AS (DELETE FROM idempotency_keys k WHERE k.created_at < (SELECT payment.now()) - interval '72 hours'
    AND (k.created_at < (SELECT payment.now()) - interval '30 days' OR k.route !~ '/payment/(order|maintenance)') RETURNING 1)
  SELECT count(*) FROM gone $$;
GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['next_due(text)', 'forget_keys()', 'never_back()'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
