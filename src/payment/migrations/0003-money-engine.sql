-- What the engine needs beside the order itself: the health of providers, what they tell on their own, and the jobs of time.
CREATE TABLE payment.providers (         -- circuit breaker (engine.md 9); a provider without a row is well
  name text PRIMARY KEY, health text NOT NULL DEFAULT 'closed' CHECK (health IN ('closed','open')), next_probe_at timestamptz NOT NULL DEFAULT '-infinity',
  message_secret text);                   -- sandbox: what the simulated bank signs its messages with
CREATE TABLE payment.provider_events (   -- durable inbox of providers' messages: stored, answered, then applied
  provider text NOT NULL, event_ref text NOT NULL, merchant_account_id payment.id24 NOT NULL, order_id payment.id24 NOT NULL, body json NOT NULL, reason text,
  state text NOT NULL DEFAULT 'received' CHECK (state IN ('received','applied','ignored','parked')), received_at timestamptz NOT NULL DEFAULT payment.now(),
  PRIMARY KEY (provider, event_ref), CHECK (state IN ('received','applied') OR reason IS NOT NULL));
CREATE INDEX provider_events_open ON payment.provider_events (received_at) WHERE state IN ('received','parked');
CREATE TABLE payment.jobs (              -- how far the jobs of time have come
  name text PRIMARY KEY, position bytea, at timestamptz);
CREATE TABLE payment.lapses (            -- authorizations whose time is over but of which something is undecided: looked at again
  merchant_account_id payment.id24 NOT NULL, order_id payment.id24 NOT NULL, due_at timestamptz NOT NULL, PRIMARY KEY (merchant_account_id, order_id));
CREATE INDEX lapses_due ON payment.lapses (due_at);
ALTER TABLE payment.contracts ADD authorization_days smallint NOT NULL DEFAULT 30 CHECK (authorization_days BETWEEN 1 AND 365);
CREATE INDEX checkouts_expiry ON payment.checkouts USING brin (expires_at);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY string_to_array('provider_events lapses', ' ') LOOP
    EXECUTE format('ALTER TABLE payment.%1$I ENABLE ROW LEVEL SECURITY; ALTER TABLE payment.%1$I FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON payment.%1$I TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
      CREATE POLICY queue ON payment.%1$I TO payment_queue USING (true) WITH CHECK (true); GRANT SELECT, INSERT ON payment.%1$I TO payment_app', t);
  END LOOP; END $$;
GRANT UPDATE (state, reason) ON payment.provider_events TO payment_app;
GRANT UPDATE (due_at), DELETE ON payment.lapses TO payment_app;
GRANT SELECT, INSERT, UPDATE ON payment.jobs, payment.providers TO payment_app;
GRANT SELECT ON payment.providers, payment.provider_events, payment.lapses, payment.orders, payment.transactions, payment.checkouts TO payment_queue;
GRANT UPDATE (status) ON payment.checkouts TO payment_queue;
GRANT INSERT ON payment.events TO payment_queue;

-- The functions that look across merchant accounts.
CREATE OR REPLACE FUNCTION payment.claim_operations(room int, lease interval) RETURNS SETOF payment.operations LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH due AS MATERIALIZED (
    SELECT o.order_id, o.id FROM operations o
    WHERE o.state IN ('requested','in_doubt','review') AND o.due_at <= (SELECT payment.now())
      AND o.provider <> ALL (ARRAY(SELECT name FROM providers WHERE health = 'open'))
    ORDER BY o.due_at LIMIT room FOR UPDATE OF o SKIP LOCKED),
  taken AS (UPDATE operations o SET tries = tries + 1, due_at = payment.now() + lease FROM due WHERE o.order_id = due.order_id AND o.id = due.id RETURNING o.*)
  SELECT * FROM taken $$;
CREATE FUNCTION payment.wake_provider(which text, spread interval) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH w AS (UPDATE operations o SET due_at = payment.now() + random() * spread WHERE o.provider = which
    AND o.state IN ('requested','in_doubt','review') AND o.due_at > (SELECT payment.now()) + spread::interval AND o.tries > 1 RETURNING 1) SELECT count(*) FROM w $$;
-- messages that were stored but not applied by the process that took them
CREATE FUNCTION payment.waiting_events(older interval, room int) RETURNS TABLE (provider text, event_ref text, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT provider, event_ref, merchant_account_id FROM provider_events WHERE state = 'received' AND received_at < (SELECT payment.now()) - older::interval ORDER BY received_at LIMIT room $$;
-- orders of a contract with this many days whose authorization is over, by time; an undecided one is told too
CREATE FUNCTION payment.lapsing(after bytea, until bytea, days int, room int) RETURNS TABLE (order_id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT o.id, o.merchant_account_id FROM merchant_accounts a
  CROSS JOIN LATERAL (SELECT * FROM orders x WHERE x.merchant_account_id = a.merchant_account_id AND x.id > after AND x.id <= until AND x.live
    AND (x.winner_id IS NULL OR x.authorized_minor > x.released_minor + x.captured_minor) ORDER BY x.id LIMIT room) o
  JOIN LATERAL (SELECT t.contract_id FROM transactions t WHERE t.order_id = o.id ORDER BY t.attempt DESC LIMIT 1) t ON true
  JOIN contracts c ON c.id = t.contract_id AND c.merchant_account_id = o.merchant_account_id AND c.authorization_days = days
  ORDER BY o.id LIMIT room $$;
CREATE FUNCTION payment.lapses_again(room int) RETURNS TABLE (order_id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT order_id, merchant_account_id FROM lapses WHERE due_at <= (SELECT payment.now()) ORDER BY due_at LIMIT room $$;
CREATE FUNCTION payment.authorization_days() RETURNS SETOF smallint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT DISTINCT authorization_days FROM contracts $$;
-- checkouts whose time ended between two moments and that nobody paid or is paying
CREATE FUNCTION payment.expire_checkouts(after timestamptz, until timestamptz) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH x AS (UPDATE checkouts c SET status = 'expired' WHERE c.expires_at > after AND c.expires_at <= until AND c.status = 'created'
      AND (SELECT count(*) FROM orders o WHERE o.checkout_id = c.id AND o.live) = 0 RETURNING c.id, c.merchant_account_id),
  e AS (INSERT INTO events (subject_id, seq, merchant_account_id, type) SELECT id, 1, merchant_account_id, 'checkout.expired' FROM x ON CONFLICT DO NOTHING RETURNING 1)
  SELECT count(*) FROM e $$;
GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['claim_operations(int, interval)', 'wake_provider(text, interval)', 'waiting_events(interval, int)', 'lapsing(bytea, bytea, int, int)', 'lapses_again(int)',
    'authorization_days()', 'expire_checkouts(timestamptz, timestamptz)'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
