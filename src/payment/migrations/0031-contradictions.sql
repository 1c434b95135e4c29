-- What a provider says against a final state (contract 14.2): kept, the money blocked, asked about, and ended by proof or by a person.
-- The order counts every change of its status, two in one commit too.

CREATE TABLE payment.contradictions (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  operation_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('authorize', 'capture', 'refund', 'cancel', 'reversal')),
  held text NOT NULL CHECK (held IN ('successful', 'declined', 'not_sent')),
  said text NOT NULL CHECK (said IN ('approved', 'differs', 'declined', 'corrected', 'reversed', 'not_sent')),
  provider_ref text,                     -- of an approval: what a later capture or refund works on
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency char(3) NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'ours', 'theirs')),       -- who was right
  opened_at timestamptz NOT NULL,
  settled_at timestamptz,
  due_at timestamptz NOT NULL,           -- when the provider is asked next
  tries int NOT NULL DEFAULT 0,
  CHECK ((state = 'open') = (settled_at IS NULL)));
CREATE UNIQUE INDEX one_open_contradiction ON payment.contradictions (order_id, operation_id) WHERE state = 'open';
CREATE INDEX contradictions_of_operation ON payment.contradictions (operation_id) WHERE state = 'open';
CREATE INDEX contradictions_due ON payment.contradictions (due_at) WHERE state = 'open';
CREATE INDEX contradictions_of_account ON payment.contradictions (merchant_account_id, opened_at) WHERE state = 'open';
ALTER TABLE payment.contradictions ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.contradictions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.contradictions TO payment_app
  USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.contradictions TO payment_queue USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (state, settled_at, due_at) ON payment.contradictions TO payment_app;
GRANT SELECT, UPDATE ON payment.contradictions TO payment_queue;

-- contradicted: something of the order is open above. above_minor: what a person ruled that the provider did beyond what the
-- counters allow. Both are null for nearly every order, and then take no room.
ALTER TABLE payment.orders
  ADD contradicted boolean,
  ADD above_minor bigint CHECK (above_minor > 0),
  DROP CONSTRAINT orders_check3,
  DROP CONSTRAINT orders_check4;
ALTER TABLE payment.orders
  ADD CONSTRAINT orders_check3 CHECK (capturing_minor >= 0 AND captured_minor >= 0 AND released_minor >= 0
    AND capturing_minor + captured_minor + released_minor <= authorized_minor + coalesce(above_minor, 0)),
  ADD CONSTRAINT orders_check4 CHECK (refunding_minor >= 0 AND refunded_minor >= 0
    AND refunding_minor + refunded_minor <= captured_minor + coalesce(above_minor, 0));
-- disputed orders are found and listed by their account
CREATE INDEX disputes_of_account ON payment.disputes (merchant_account_id, order_id);
GRANT UPDATE (contradicted, above_minor) ON payment.orders TO payment_app;

-- one commit may bring several changes of status, and each has a version of its own
DROP TRIGGER one_step ON payment.orders;
CREATE TRIGGER versions_rise BEFORE UPDATE ON payment.orders FOR EACH ROW
  WHEN (NEW.version <= OLD.version) EXECUTE FUNCTION payment.refuse('version change');

-- what is final moves only where a contradiction is open, from one end to the other
CREATE FUNCTION payment.refuse_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('successful', 'declined', 'not_sent') AND NEW.state IN ('successful', 'declined') AND EXISTS (
    SELECT 1
    FROM payment.contradictions c
    WHERE c.order_id = NEW.order_id
      AND c.operation_id = NEW.id
      AND c.merchant_account_id = NEW.merchant_account_id
      AND c.state = 'open')
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'state change refused on %.%', TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = '23514';
END $$;
DROP TRIGGER forward_only ON payment.operations;
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.operations FOR EACH ROW
  WHEN (NOT payment.step_ok(OLD.kind, OLD.state, NEW.state)) EXECUTE FUNCTION payment.refuse_step();

-- A capture may be disputed again after a dispute that was won: each time the money goes away is a row, and a posting, of its own.
ALTER TABLE payment.disputes
  ADD round smallint NOT NULL DEFAULT 1,
  DROP CONSTRAINT disputes_order_id_operation_id_key,
  ADD CONSTRAINT one_of_a_round UNIQUE (order_id, operation_id, round);
DROP TRIGGER forward_only ON payment.disputes;
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.disputes FOR EACH ROW
  WHEN (OLD.state = 'won' AND NEW.state <> 'won') EXECUTE FUNCTION payment.refuse('state change');

-- Ids of messages are a provider's own for one account: two accounts may have the same.
ALTER TABLE payment.provider_events
  DROP CONSTRAINT provider_events_pkey,
  ADD PRIMARY KEY (merchant_account_id, provider, event_ref);
CREATE OR REPLACE FUNCTION payment.claim_events(older interval, room int)
RETURNS TABLE (provider text, event_ref text, merchant_account_id bytea)
LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH due AS MATERIALIZED (
    SELECT e.merchant_account_id, e.provider, e.event_ref
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
    AND e.provider = due.provider
    AND e.event_ref = due.event_ref
  RETURNING e.provider, e.event_ref, e.merchant_account_id $$;

-- Contradictions whose provider is to be asked, each for one worker at a time.
CREATE FUNCTION payment.claim_contradictions(room int, lease interval)
RETURNS TABLE (order_id bytea, operation_id bytea, merchant_account_id bytea, tries int)
LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH due AS MATERIALIZED (
    SELECT c.id
    FROM contradictions c
    WHERE c.state = 'open'
      AND c.due_at <= (SELECT payment.now())
    ORDER BY c.due_at
    LIMIT room
    FOR UPDATE OF c SKIP LOCKED)
  UPDATE contradictions c
  SET tries = c.tries + 1, due_at = payment.now() + lease
  FROM due
  WHERE c.id = due.id
  RETURNING c.order_id, c.operation_id, c.merchant_account_id, c.tries $$;

-- what waits for a proof or a person: the queue without what is only under way, and what is contradicted
DROP FUNCTION payment.undecided(int);
CREATE FUNCTION payment.undecided(room int)
RETURNS TABLE (id bytea, order_id bytea, merchant_account_id bytea, transaction_id bytea, provider text, kind text, state text,
  amount_minor bigint, currency text, created_at timestamptz, due_at timestamptz, tries int, held text, said text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  (SELECT p.id, p.order_id, p.merchant_account_id, p.transaction_id, p.provider, p.kind, p.state, p.amount_minor, p.currency,
     p.created_at, p.due_at, p.tries, NULL::text, NULL::text
   FROM operations p
   WHERE p.state IN ('requested', 'in_doubt', 'review')
     AND p.due_at > '-infinity'
     AND p.state <> 'requested'
   ORDER BY p.created_at
   LIMIT room)
  UNION ALL
  (SELECT c.operation_id, c.order_id, c.merchant_account_id, c.transaction_id, c.provider, c.kind, 'contradicted', c.amount_minor,
     c.currency, c.opened_at, c.due_at, c.tries, c.held, c.said
   FROM contradictions c
   WHERE c.state = 'open'
     AND c.due_at > '-infinity'
   ORDER BY c.due_at
   LIMIT room)
  ORDER BY 10
  LIMIT room $$;
CREATE OR REPLACE FUNCTION payment.whose_operation(which bytea) RETURNS TABLE (order_id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT order_id, merchant_account_id FROM (
    (SELECT p.order_id, p.merchant_account_id FROM operations p WHERE p.state IN ('requested','in_doubt','review') AND p.due_at > '-infinity' AND (p.id = which OR p.kind = 'reversal' AND p.target_id = which) LIMIT 1)
    UNION ALL (SELECT c.order_id, c.merchant_account_id FROM contradictions c WHERE c.state = 'open' AND c.operation_id = which LIMIT 1)
    UNION ALL (SELECT e.order_id, e.merchant_account_id FROM ledger_entries e WHERE e.source_id = which LIMIT 1)
    UNION ALL (SELECT r.order_id, r.merchant_account_id FROM rulings r WHERE r.operation_id = which LIMIT 1)) x LIMIT 1 $$;

-- order.contradicted is told with the order, as a dispute is
CREATE OR REPLACE FUNCTION payment.fan_out() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE told json; number int; of_order boolean := NEW.type NOT LIKE '%.%' OR NEW.type LIKE 'dispute.%' OR NEW.type LIKE 'order.%';
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

GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['claim_contradictions(int, interval)', 'undecided(int)'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
