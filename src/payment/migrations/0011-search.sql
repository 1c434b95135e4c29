-- Search over millions of orders, and the figures of the overview (docs/decisions/0045). Nothing here is written by a request: an event
-- says in which transaction it was written, and the worker follows the events in the order in which they can no longer change.
ALTER TABLE payment.events ADD tx bigint;
ALTER TABLE payment.events ALTER tx SET DEFAULT pg_current_xact_id()::text::bigint;
CREATE INDEX events_by_tx ON payment.events USING brin (tx) WITH (pages_per_range = 32, autosummarize = on);
-- an operation or a transaction by its id alone: ids follow time, so a range of pages is enough
CREATE INDEX operations_by_id ON payment.operations USING brin (id) WITH (pages_per_range = 64, autosummarize = on);
CREATE INDEX transactions_by_id ON payment.transactions USING brin (id) WITH (pages_per_range = 64, autosummarize = on);

CREATE TABLE payment.order_classes (     -- what orders have in common: every combination that occurs, some hundreds an account
  id int GENERATED ALWAYS AS IDENTITY, merchant_account_id payment.id24 NOT NULL, status text NOT NULL, code text NOT NULL, currency char(3) NOT NULL, provider text NOT NULL,
  payment_method_name text NOT NULL, operation_type text NOT NULL, is_suspicious boolean NOT NULL, digits smallint NOT NULL,      -- digits of the amount in minor units
  orders bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_account_id, id), UNIQUE (merchant_account_id, status, code, currency, provider, payment_method_name, operation_type, is_suspicious, digits)) WITH (fillfactor = 50);
CREATE TABLE payment.order_search (      -- a narrow row for every order; customer and email are hashes
  merchant_account_id payment.id24 NOT NULL, order_id payment.id24 NOT NULL, class_id int NOT NULL, last4 smallint, amount_minor bigint NOT NULL, customer bigint, email bigint,
  PRIMARY KEY (merchant_account_id, order_id));
CREATE INDEX order_search_by_class ON payment.order_search (class_id, order_id) INCLUDE (merchant_account_id, amount_minor);
CREATE INDEX order_search_by_amount ON payment.order_search (merchant_account_id, amount_minor, order_id) INCLUDE (class_id);
CREATE INDEX order_search_by_customer ON payment.order_search (merchant_account_id, customer, order_id) INCLUDE (class_id, amount_minor) WHERE customer IS NOT NULL;
CREATE INDEX order_search_by_email ON payment.order_search (merchant_account_id, email, order_id) INCLUDE (class_id, amount_minor) WHERE email IS NOT NULL;
CREATE INDEX order_search_by_last4 ON payment.order_search (merchant_account_id, last4, order_id) INCLUDE (class_id, amount_minor) WHERE last4 IS NOT NULL;
CREATE TABLE payment.order_hours (       -- orders by the hour in which they were made (of Unix time), by what they are now
  merchant_account_id payment.id24 NOT NULL, hour int NOT NULL, class_id int NOT NULL, orders int NOT NULL, amount_minor numeric NOT NULL,
  PRIMARY KEY (merchant_account_id, hour, class_id)) WITH (fillfactor = 50);
CREATE TABLE payment.order_search_state (one boolean PRIMARY KEY DEFAULT true CHECK (one), next_tx bigint NOT NULL);      -- events of earlier transactions are in

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY string_to_array('order_classes order_search order_hours', ' ') LOOP
    EXECUTE format('ALTER TABLE payment.%1$I ENABLE ROW LEVEL SECURITY; ALTER TABLE payment.%1$I FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON payment.%1$I TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
      CREATE POLICY queue ON payment.%1$I TO payment_queue USING (true) WITH CHECK (true); GRANT SELECT ON payment.%1$I TO payment_app;
      GRANT SELECT, INSERT, UPDATE ON payment.%1$I TO payment_queue', t);
  END LOOP; END $$;
GRANT SELECT ON payment.order_search_state TO payment_app;
GRANT SELECT, UPDATE ON payment.order_search_state TO payment_queue;
GRANT SELECT ON payment.events TO payment_queue;

-- 64 bits of SHA-256; letters of ASCII in small, so that it is the same in every locale and in the service (search/filters.ts)
CREATE FUNCTION payment.search_hash(word text) RETURNS bigint LANGUAGE sql STABLE AS
  $$ SELECT ('x' || left(encode(sha256(convert_to(lower(word COLLATE "C"), 'UTF8')), 'hex'), 16))::bit(64)::bigint $$;
CREATE FUNCTION payment.hour_of(id bytea) RETURNS int LANGUAGE sql IMMUTABLE AS
  $$ SELECT (((get_byte(id, 0)::bigint << 24) + (get_byte(id, 1) << 16) + (get_byte(id, 2) << 8) + get_byte(id, 3)) / 3600)::int $$;

CREATE TYPE payment.search_fact AS (merchant_account_id bytea, order_id bytea, status text, code text, currency text, provider text, payment_method_name text, operation_type text,
  is_suspicious boolean, digits smallint, last4 smallint, amount_minor bigint, customer bigint, email bigint);

-- what is to be found of these orders, as they are now
CREATE FUNCTION payment.search_facts(accounts bytea[], ids bytea[]) RETURNS SETOF payment.search_fact LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT o.merchant_account_id, o.id, o.status, coalesce(e.code, ''), o.currency::text, t.provider, t.payment_method_name, coalesce(o.body ->> 'operation_type', c.body ->> 'operation_type', ''),
    coalesce(t.risk_score >= 60, false), length(o.amount_minor::text)::smallint, CASE WHEN t.last4 ~ '^[0-9]{4}$' THEN t.last4::smallint END, o.amount_minor,
    payment.search_hash(coalesce(o.body ->> 'customer_id', c.body ->> 'customer_id')), payment.search_hash(coalesce(o.body ->> 'customer_email', c.body ->> 'customer_email'))
  FROM unnest(accounts::bytea[], ids::bytea[]) AS x (merchant_account_id, id)
  JOIN orders o ON o.merchant_account_id = x.merchant_account_id AND o.id = x.id
  JOIN LATERAL (SELECT * FROM transactions t WHERE t.order_id = o.id ORDER BY t.attempt DESC LIMIT 1) t ON true
  LEFT JOIN LATERAL (SELECT e.code FROM events e WHERE e.subject_id = o.id ORDER BY e.seq DESC LIMIT 1) e ON true
  LEFT JOIN checkouts c ON c.id = o.checkout_id $$;

-- puts facts into the tables above; the same facts twice change nothing
CREATE FUNCTION payment.put_search_facts(facts payment.search_fact[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = payment, pg_temp AS $$ BEGIN
  INSERT INTO order_classes (merchant_account_id, status, code, currency, provider, payment_method_name, operation_type, is_suspicious, digits)
  SELECT DISTINCT f.merchant_account_id, f.status, f.code, f.currency, f.provider, f.payment_method_name, f.operation_type, f.is_suspicious, f.digits FROM unnest(facts) f
  WHERE NOT EXISTS (SELECT FROM order_classes k WHERE k.merchant_account_id = f.merchant_account_id AND k.status = f.status AND k.code = f.code AND k.currency = f.currency AND k.provider = f.provider
    AND k.payment_method_name = f.payment_method_name AND k.operation_type = f.operation_type AND k.is_suspicious = f.is_suspicious AND k.digits = f.digits) ON CONFLICT DO NOTHING;
  WITH f AS MATERIALIZED (SELECT f.*, k.id AS class_id FROM unnest(facts) f JOIN order_classes k ON k.merchant_account_id = f.merchant_account_id AND k.status = f.status AND k.code = f.code
      AND k.currency = f.currency AND k.provider = f.provider AND k.payment_method_name = f.payment_method_name AND k.operation_type = f.operation_type AND k.is_suspicious = f.is_suspicious AND k.digits = f.digits),
  old AS MATERIALIZED (SELECT s.merchant_account_id, s.order_id, s.class_id, s.amount_minor, f.class_id AS becomes FROM f JOIN order_search s ON s.merchant_account_id = f.merchant_account_id AND s.order_id = f.order_id),
  put AS (INSERT INTO order_search AS s (merchant_account_id, order_id, class_id, last4, amount_minor, customer, email)
    SELECT merchant_account_id, order_id, class_id, last4, amount_minor, customer, email FROM f
    ON CONFLICT (merchant_account_id, order_id) DO UPDATE SET class_id = excluded.class_id, last4 = excluded.last4, customer = excluded.customer, email = excluded.email
    WHERE (s.class_id, s.last4, s.customer, s.email) IS DISTINCT FROM (excluded.class_id, excluded.last4, excluded.customer, excluded.email)),
  moved AS MATERIALIZED (
    SELECT f.merchant_account_id, hour_of(f.order_id) AS hour, f.class_id, 1 AS n, f.amount_minor FROM f LEFT JOIN old ON old.merchant_account_id = f.merchant_account_id AND old.order_id = f.order_id
      WHERE old.class_id IS DISTINCT FROM f.class_id
    UNION ALL SELECT merchant_account_id, hour_of(order_id), class_id, -1, -amount_minor FROM old WHERE class_id <> becomes),
  h AS (INSERT INTO order_hours AS h (merchant_account_id, hour, class_id, orders, amount_minor)
    SELECT merchant_account_id, hour, class_id, sum(n), sum(amount_minor) FROM moved GROUP BY 1, 2, 3
    ON CONFLICT (merchant_account_id, hour, class_id) DO UPDATE SET orders = h.orders + excluded.orders, amount_minor = h.amount_minor + excluded.amount_minor)
  UPDATE order_classes k SET orders = k.orders + d.n FROM (SELECT class_id, sum(n) AS n FROM moved GROUP BY 1) d WHERE k.id = d.class_id;
END $$;

-- Follows the events of up to `span` transactions and answers how many transactions are left; NULL: another process is at it. A transaction below the snapshot's xmin has ended, so what
-- it wrote is seen now or never. A database that was restored into a younger cluster counts from where that one is.
CREATE FUNCTION payment.follow_orders(span int) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
DECLARE begins bigint; ended bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint; ends bigint; facts search_fact[]; BEGIN
  SELECT next_tx INTO begins FROM order_search_state FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  ends := CASE WHEN begins > ended THEN 9223372036854775807 ELSE least(ended, begins + span) END;
  SELECT array_agg(f) INTO facts FROM (SELECT array_agg(e.merchant_account_id::bytea) AS accounts, array_agg(e.subject_id::bytea) AS ids FROM
    (SELECT DISTINCT e.merchant_account_id, e.subject_id FROM events e WHERE e.tx >= begins AND e.tx < ends) e) x, search_facts(x.accounts, x.ids) f;
  IF facts IS NOT NULL THEN PERFORM put_search_facts(facts); END IF;
  IF ends > begins THEN UPDATE order_search_state SET next_tx = least(ends, ended); END IF;
  RETURN ended - least(ends, ended);
END $$;

-- Figures of the queues for the metrics: how many wait and for how many seconds the oldest does, by what tells them apart; nothing names a merchant account.
CREATE FUNCTION payment.queue_figures() RETURNS TABLE (queue text, part text, state text, waiting bigint, oldest_s float8) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT 'operations', p.provider, p.state, count(*), extract(epoch FROM payment.now() - min(p.created_at))::float8 FROM operations p
    WHERE p.state IN ('requested','in_doubt','review') AND p.due_at > '-infinity' GROUP BY 2, 3
  UNION ALL SELECT 'overdue operations', p.provider, '', count(*), extract(epoch FROM payment.now() - min(p.due_at))::float8 FROM operations p
    WHERE p.state IN ('requested','in_doubt','review') AND p.due_at < (SELECT payment.now()) GROUP BY 2
  UNION ALL SELECT 'provider messages', e.provider, e.state, count(*), extract(epoch FROM payment.now() - min(e.received_at))::float8 FROM provider_events e
    WHERE e.state IN ('received','parked') AND e.received_at > '-infinity' GROUP BY 2, 3
  UNION ALL SELECT 'card removals', '', '', count(*), coalesce(extract(epoch FROM payment.now() - min(r.requested_at)), 0)::float8 FROM card_removals r WHERE r.due_at > '-infinity'
  UNION ALL SELECT 'search', '', '', pg_snapshot_xmin(pg_current_snapshot())::text::bigint - s.next_tx, 0 FROM order_search_state s
  UNION ALL SELECT 'providers down', v.name, '', 1, 0 FROM providers v WHERE v.health = 'open' $$;

GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['queue_figures()', 'search_facts(bytea[], bytea[])', 'put_search_facts(payment.search_fact[])', 'follow_orders(int)'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC', f);
  END LOOP; END $$;
GRANT EXECUTE ON FUNCTION payment.follow_orders(int), payment.queue_figures() TO payment_app;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;

-- the orders that are there already; nobody writes meanwhile, the table of events is locked
INSERT INTO payment.order_search_state (next_tx) VALUES (pg_current_xact_id()::text::bigint);
SET LOCAL ROLE payment_queue;
DO $$ DECLARE facts payment.search_fact[]; account bytea := ''; last bytea := ''; accounts bytea[]; ids bytea[]; BEGIN
  LOOP
    SELECT array_agg(x.merchant_account_id::bytea ORDER BY x.merchant_account_id, x.id), array_agg(x.id::bytea ORDER BY x.merchant_account_id, x.id) INTO accounts, ids
    FROM (SELECT o.merchant_account_id, o.id FROM payment.orders o WHERE (o.merchant_account_id, o.id) > (account, last) ORDER BY o.merchant_account_id, o.id LIMIT 10000) x;
    EXIT WHEN ids IS NULL;
    SELECT array_agg(f) INTO facts FROM payment.search_facts(accounts, ids) f;
    IF facts IS NOT NULL THEN PERFORM payment.put_search_facts(facts); END IF;
    account := accounts[cardinality(accounts)]; last := ids[cardinality(ids)];
  END LOOP; END $$;
SET LOCAL ROLE florin_owner;
