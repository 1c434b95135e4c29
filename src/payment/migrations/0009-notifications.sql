-- Notifications (contract 13, engine.md 10). An event is told by the commit that makes it true: a trigger writes, for every endpoint
-- that wants it, a row with what is to be told as it stands in that commit. The row is the queue, the history, and what is shown.
CREATE TABLE payment.endpoints (
  id payment.id24 PRIMARY KEY, merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts, url text NOT NULL, description text NOT NULL DEFAULT '',
  events text[] NOT NULL, state text NOT NULL DEFAULT 'on' CHECK (state IN ('on','off','deleted')),
  secret_sealed bytea NOT NULL, old_secret_sealed bytea, old_secret_until timestamptz,       -- under the money zone's key
  failing_since timestamptz, probe_at timestamptz NOT NULL DEFAULT '-infinity', tests int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT payment.now());
CREATE INDEX endpoints_by_account ON payment.endpoints (merchant_account_id, state) WHERE state <> 'deleted';

CREATE TABLE payment.notifications (
  id payment.id24 NOT NULL, merchant_account_id payment.id24 NOT NULL, endpoint_id payment.id24 NOT NULL, subject_id payment.id24 NOT NULL, order_id payment.id24,
  event text NOT NULL, sequence int NOT NULL, previous_sequence int, facts json NOT NULL,
  body text,                             -- made of the facts before the first try, and the same ever after
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting','delivered','parked')),
  tries int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL, next_at timestamptz NOT NULL,     -- by the schedule
  due_at timestamptz NOT NULL,           -- when it is taken: by the schedule, earlier when its endpoint is well again, later behind another of its order
  leased_until timestamptz,              -- by the machine's clock: a sandbox's clock that leaps ends no lease
  last_status smallint, last_error text, duration_ms int, PRIMARY KEY (merchant_account_id, id)) WITH (fillfactor = 70);
CREATE UNIQUE INDEX notifications_in_order ON payment.notifications (endpoint_id, subject_id, sequence);
CREATE INDEX notifications_due ON payment.notifications (endpoint_id, due_at) WHERE state = 'waiting';
CREATE INDEX notifications_heads ON payment.notifications (endpoint_id, subject_id, sequence) WHERE state = 'waiting';       -- the first that waits of each order
CREATE INDEX notifications_leased ON payment.notifications (endpoint_id) WHERE leased_until IS NOT NULL;
CREATE INDEX notifications_of_order ON payment.notifications (merchant_account_id, order_id) WHERE order_id IS NOT NULL;

-- What a payer's bank takes back of a capture (engine.md 8.1, contract 14.2): flags and members of the order, never its status.
CREATE TABLE payment.disputes (
  id payment.id24 PRIMARY KEY, merchant_account_id payment.id24 NOT NULL, order_id payment.id24 NOT NULL, operation_id payment.id24 NOT NULL, provider text NOT NULL,
  state text NOT NULL CHECK (state IN ('opened','won','lost')), amount_minor bigint NOT NULL CHECK (amount_minor > 0), currency char(3) NOT NULL,
  reason text NOT NULL, reason_code text NOT NULL, opened_at timestamptz NOT NULL, updated_at timestamptz NOT NULL DEFAULT payment.now(), UNIQUE (order_id, operation_id));
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.disputes FOR EACH ROW WHEN (OLD.state <> 'opened') EXECUTE FUNCTION payment.refuse('state change');
-- a posting may be that of a dispute
CREATE OR REPLACE FUNCTION payment.ledger_after(after bytea, after_posting text, after_line int, room int)
RETURNS TABLE (source_id bytea, posting text, line smallint, merchant_account_id bytea, order_id bytea, debit text, credit text, currency text, amount_minor bigint,
  owner bytea, kind text, state text, has_order boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT e.source_id, e.posting, e.line, e.merchant_account_id, e.order_id, e.debit, e.credit, e.currency, e.amount_minor, coalesce(p.merchant_account_id, d.merchant_account_id),
    coalesce(p.kind, CASE WHEN d.id IS NOT NULL THEN 'dispute' END), coalesce(p.state, d.state), o.id IS NOT NULL
  FROM (SELECT * FROM ledger_entries x WHERE (x.source_id, x.posting, x.line) > (after, after_posting, after_line) ORDER BY x.source_id, x.posting, x.line LIMIT room) e
  LEFT JOIN operations p ON p.order_id = e.order_id AND p.id = e.source_id
  LEFT JOIN disputes d ON d.order_id = e.order_id AND d.id = e.source_id
  LEFT JOIN orders o ON o.merchant_account_id = e.merchant_account_id AND o.id = e.order_id
  ORDER BY e.source_id, e.posting, e.line $$;

-- operation_id: what the event tells of. silent: a status passed through inside a request, which is history and nobody's event.
-- heard: whether the account had an endpoint; a statement that does not know leaves it to the trigger to find out.
ALTER TABLE payment.events ADD operation_id payment.id24, ADD silent boolean NOT NULL DEFAULT false, ADD heard boolean NOT NULL DEFAULT true;

-- an id of contract 2.11, as core/ids.ts makes it
CREATE FUNCTION payment.new_id(at timestamptz) RETURNS bytea LANGUAGE sql VOLATILE AS $$
  SELECT decode(lpad(to_hex(floor(extract(epoch FROM at))::bigint), 8, '0')
    || lpad(to_hex(((floor(extract(epoch FROM at) * 1000)::bigint % 1000) << 6) | (get_byte(r, 0) & 63)), 4, '0') || encode(substring(r FROM 1 FOR 6), 'hex'), 'hex')
  FROM (SELECT decode(left(replace(gen_random_uuid()::text, '-', ''), 12) || right(gen_random_uuid()::text, 2), 'hex') AS r) x $$;

-- What is told of an order: its counters and its last transaction as this commit leaves them. Several events of one commit tell the same money.
CREATE FUNCTION payment.order_facts(e payment.events) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('order_merchant_id', o.order_merchant_id, 'checkout_id', encode(o.checkout_id, 'hex'), 'status', o.status, 'amount_minor', o.amount_minor, 'currency', o.currency,
    'authorized_minor', o.authorized_minor, 'released_minor', o.released_minor, 'capturing_minor', o.capturing_minor, 'captured_minor', o.captured_minor,
    'refunding_minor', o.refunding_minor, 'refunded_minor', o.refunded_minor, 'cancel_pending', o.cancel_pending, 'holds', o.winner_id IS NOT NULL AND o.winner_id = t.id,
    'transaction_id', encode(t.id, 'hex'), 'provider', t.provider, 'contract_id', encode(t.contract_id, 'hex'), 'payment_method_name', t.payment_method_name, 'first6', t.first6, 'last4', t.last4,
    'exp_month', t.exp_month, 'exp_year', t.exp_year, 'risk_score', t.risk_score, 'provider_ref', a.provider_ref, 'provider_text', left(a.provider_text, 500),
    'operation', CASE WHEN p.id IS NOT NULL THEN json_build_object('id', encode(p.id, 'hex'), 'kind', p.kind, 'operation_merchant_id', p.operation_merchant_id) END)
  FROM payment.orders o
  LEFT JOIN LATERAL (SELECT * FROM payment.transactions x WHERE x.order_id = o.id ORDER BY x.attempt DESC LIMIT 1) t ON true
  LEFT JOIN payment.operations a ON a.order_id = o.id AND a.id = t.id
  LEFT JOIN LATERAL (SELECT * FROM payment.operations x WHERE x.order_id = o.id AND (x.id = e.operation_id AND e.type NOT LIKE 'authorization_cancel%' OR e.type LIKE 'authorization_cancel%' AND x.kind = 'cancel')
    ORDER BY x.id DESC LIMIT 1) p ON true
  WHERE o.merchant_account_id = e.merchant_account_id AND o.id = e.subject_id $$;

CREATE FUNCTION payment.fan_out() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE told json; number int; of_order boolean := NEW.type NOT LIKE '%.%' OR NEW.type LIKE 'dispute.%';
BEGIN
  IF NOT EXISTS (SELECT 1 FROM payment.endpoints n WHERE n.merchant_account_id = NEW.merchant_account_id AND n.state = 'on' AND NEW.type = ANY (n.events)) THEN RETURN NULL; END IF;
  SELECT count(*) INTO number FROM payment.events x WHERE x.subject_id = NEW.subject_id AND x.seq <= NEW.seq AND NOT x.silent;
  IF of_order THEN told := payment.order_facts(NEW);
  ELSIF NEW.type = 'checkout.expired' THEN
    SELECT json_build_object('checkout_id', encode(c.id, 'hex'), 'order_merchant_id', c.body ->> 'order_merchant_id', 'amount_minor', c.amount_minor, 'currency', c.currency) INTO told
    FROM payment.checkouts c WHERE c.id = NEW.subject_id AND c.merchant_account_id = NEW.merchant_account_id;
  END IF;
  INSERT INTO payment.notifications (id, merchant_account_id, endpoint_id, subject_id, order_id, event, sequence, previous_sequence, facts, created_at, next_at, due_at)
  SELECT payment.new_id(NEW.at), NEW.merchant_account_id, n.id, NEW.subject_id, CASE WHEN of_order THEN NEW.subject_id END, NEW.type, number,
    (SELECT max(b.sequence) FROM payment.notifications b WHERE b.endpoint_id = n.id AND b.subject_id = NEW.subject_id AND b.sequence < number),
    json_build_object('at', to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'), 'code', NEW.code, 'request_id', encode(NEW.request_id, 'hex'), 'order_version', NEW.order_version,
      'told', told, 'more', NEW.payload), NEW.at, NEW.at, NEW.at
  FROM payment.endpoints n WHERE n.merchant_account_id = NEW.merchant_account_id AND n.state = 'on' AND NEW.type = ANY (n.events);
  RETURN NULL;
END $$;
CREATE TRIGGER fan_out AFTER INSERT ON payment.events FOR EACH ROW WHEN (NEW.heard AND NOT NEW.silent AND NEW.type <> 'created') EXECUTE FUNCTION payment.fan_out();

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY string_to_array('endpoints notifications disputes', ' ') LOOP
    EXECUTE format('ALTER TABLE payment.%1$I ENABLE ROW LEVEL SECURITY; ALTER TABLE payment.%1$I FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON payment.%1$I TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
      CREATE POLICY queue ON payment.%1$I TO payment_queue USING (true) WITH CHECK (true); GRANT SELECT, INSERT ON payment.%1$I TO payment_app', t);
  END LOOP; END $$;
GRANT UPDATE (state, secret_sealed, old_secret_sealed, old_secret_until, failing_since, probe_at, tests) ON payment.endpoints TO payment_app;
GRANT UPDATE (body, state, tries, next_at, due_at, leased_until, last_status, last_error, duration_ms), DELETE ON payment.notifications TO payment_app;
GRANT SELECT, UPDATE ON payment.endpoints TO payment_queue;
GRANT SELECT, INSERT, UPDATE, DELETE ON payment.notifications TO payment_queue;
GRANT SELECT ON payment.events, payment.disputes TO payment_queue;
GRANT UPDATE (state, updated_at) ON payment.disputes TO payment_app;

-- The queue of all accounts: endpoint by endpoint, found by jumping through the index, so one with many waiting hides none. The row
-- of the endpoint is locked while its connections are counted: over all processes there are never more than `connections` to it, and
-- one that has failed for a while gets one. Rows are claimed by their state, never by a number above one already seen.
CREATE FUNCTION payment.claim_notifications(room int, lease interval, connections int)
RETURNS TABLE (id payment.id24, merchant_account_id payment.id24, endpoint_id payment.id24, event text, subject_id payment.id24, order_id payment.id24, sequence int, previous_sequence int, facts json, body text, tries int, scheduled boolean,
  url text, secret_sealed bytea, old_secret_sealed bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
#variable_conflict use_column
DECLARE found_one record; n endpoints; moment timestamptz := payment.now(); machine timestamptz := clock_timestamp(); open_places int; taken int; probing boolean;
BEGIN
  FOR found_one IN
    WITH RECURSIVE w AS (
      (SELECT x.endpoint_id, x.due_at FROM notifications x WHERE x.state = 'waiting' ORDER BY x.endpoint_id, x.due_at LIMIT 1)
      UNION ALL
      SELECT y.endpoint_id, y.due_at FROM w CROSS JOIN LATERAL
        (SELECT x.endpoint_id, x.due_at FROM notifications x WHERE x.state = 'waiting' AND x.endpoint_id > w.endpoint_id ORDER BY x.endpoint_id, x.due_at LIMIT 1) y)
    SELECT e.id FROM w JOIN endpoints e ON e.id = w.endpoint_id
    WHERE w.due_at <= moment OR e.state <> 'on' OR e.failing_since > moment - interval '24 h' AND e.probe_at <= moment
    ORDER BY e.failing_since IS NOT NULL, w.due_at
  LOOP
    EXIT WHEN room <= 0;
    SELECT * INTO n FROM endpoints e WHERE e.id = found_one.id FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    -- an event that was on its way while the endpoint ended
    IF n.state = 'deleted' THEN DELETE FROM notifications x WHERE x.endpoint_id = n.id AND x.state = 'waiting'; CONTINUE; END IF;
    IF n.state = 'off' THEN UPDATE notifications x SET state = 'parked', leased_until = NULL WHERE x.endpoint_id = n.id AND x.state = 'waiting'; CONTINUE; END IF;
    SELECT least(room, CASE WHEN n.failing_since < moment - interval '30 s' THEN 1 ELSE connections END - count(*)) INTO open_places
      FROM notifications x WHERE x.endpoint_id = n.id AND x.leased_until > machine;
    CONTINUE WHEN open_places <= 0;
    probing := coalesce(n.failing_since > moment - interval '24 h' AND n.probe_at <= moment, false);
    RETURN QUERY
      WITH due AS MATERIALIZED (
        SELECT x.merchant_account_id, x.id FROM notifications x
        WHERE x.endpoint_id = n.id AND x.state = 'waiting' AND x.due_at <= moment AND (x.leased_until IS NULL OR x.leased_until <= machine)
          AND x.sequence = (SELECT b.sequence FROM notifications b WHERE b.endpoint_id = x.endpoint_id AND b.subject_id = x.subject_id AND b.state = 'waiting' ORDER BY b.sequence LIMIT 1)
        ORDER BY x.due_at LIMIT open_places FOR UPDATE OF x SKIP LOCKED)
      UPDATE notifications t SET leased_until = machine + lease FROM due WHERE t.merchant_account_id = due.merchant_account_id AND t.id = due.id
      RETURNING t.id, t.merchant_account_id, t.endpoint_id, t.event, t.subject_id, t.order_id, t.sequence, t.previous_sequence, t.facts, t.body, t.tries, t.next_at <= moment,
        n.url, n.secret_sealed, CASE WHEN n.old_secret_until > moment THEN n.old_secret_sealed END;
    GET DIAGNOSTICS taken = ROW_COUNT;
    IF probing AND taken = 0 THEN
      RETURN QUERY
        WITH due AS MATERIALIZED (
          SELECT x.merchant_account_id, x.id FROM notifications x
          WHERE x.endpoint_id = n.id AND x.state = 'waiting' AND (x.leased_until IS NULL OR x.leased_until <= machine)
            AND x.sequence = (SELECT b.sequence FROM notifications b WHERE b.endpoint_id = x.endpoint_id AND b.subject_id = x.subject_id AND b.state = 'waiting' ORDER BY b.sequence LIMIT 1)
          ORDER BY x.due_at LIMIT 1 FOR UPDATE OF x SKIP LOCKED)
        UPDATE notifications t SET leased_until = machine + lease FROM due WHERE t.merchant_account_id = due.merchant_account_id AND t.id = due.id
        RETURNING t.id, t.merchant_account_id, t.endpoint_id, t.event, t.subject_id, t.order_id, t.sequence, t.previous_sequence, t.facts, t.body, t.tries, t.next_at <= moment,
          n.url, n.secret_sealed, CASE WHEN n.old_secret_until > moment THEN n.old_secret_sealed END;
      GET DIAGNOSTICS taken = ROW_COUNT;
    END IF;
    IF probing THEN UPDATE endpoints e SET probe_at = moment + interval '60 s' WHERE e.id = n.id; END IF;
    room := room - taken;
  END LOOP;
END $$;
-- for the gauges of the service: how much waits, since when, and how many endpoints fail
CREATE FUNCTION payment.notification_counts() RETURNS TABLE (waiting bigint, oldest_s double precision, failing_endpoints bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT (SELECT count(*) FROM notifications WHERE state = 'waiting'),
    (SELECT coalesce(extract(epoch FROM payment.now() - min(created_at)), 0)::double precision FROM notifications WHERE state = 'waiting'),
    (SELECT count(*) FROM endpoints WHERE state = 'on' AND failing_since IS NOT NULL) $$;
GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['claim_notifications(int, interval, int)', 'notification_counts()'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
