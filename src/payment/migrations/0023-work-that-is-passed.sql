-- What cannot be worked on now, and what is very much at once, holds up no job for the others.

-- A message that could not be applied is passed: it is looked at again behind those that wait.
ALTER TABLE payment.provider_events ADD looked_at timestamptz;
GRANT UPDATE (looked_at) ON payment.provider_events TO payment_queue;
DROP FUNCTION payment.waiting_events(interval, int);
CREATE FUNCTION payment.claim_events(older interval, room int) RETURNS TABLE (provider text, event_ref text, merchant_account_id bytea) LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH due AS MATERIALIZED (SELECT e.provider, e.event_ref FROM provider_events e
    WHERE e.state = 'received' AND e.received_at > '-infinity' AND coalesce(e.looked_at, e.received_at) < (SELECT payment.now()) - older::interval
    ORDER BY coalesce(e.looked_at, e.received_at) LIMIT room FOR UPDATE OF e SKIP LOCKED)
  UPDATE provider_events e SET looked_at = payment.now() FROM due WHERE e.provider = due.provider AND e.event_ref = due.event_ref RETURNING e.provider, e.event_ref, e.merchant_account_id $$;

-- Checkouts whose time ended, so many of them at a time: merchants choose the moment. The last id that was looked at; NULL: there are no more.
DROP FUNCTION payment.expire_checkouts(timestamptz, timestamptz);
CREATE FUNCTION payment.expire_checkouts(after timestamptz, until timestamptz, behind bytea, room int) RETURNS bytea LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp SET enable_seqscan = off AS $$
  WITH over AS MATERIALIZED (SELECT c.id::bytea AS id FROM checkouts c WHERE c.expires_at > after AND c.expires_at <= until AND c.status = 'created'
      UNION SELECT l.checkout_id::bytea FROM late_checkouts l),
    page AS MATERIALIZED (SELECT o.id FROM over o WHERE o.id > behind ORDER BY o.id LIMIT room),
    ended AS MATERIALIZED (SELECT c.id, c.attempts, c.max_attempts, c.merchant_account_id FROM page p CROSS JOIN LATERAL (SELECT * FROM checkouts x WHERE x.id = p.id LIMIT 1) c),
    due AS (SELECT e.*, (SELECT count(*) FROM orders o WHERE o.checkout_id = e.id AND o.live AND o.winner_id IS NULL) > 0 AS undecided,
      (SELECT count(*) FROM orders o WHERE o.checkout_id = e.id AND o.live AND o.winner_id IS NOT NULL)
        + (SELECT count(*) FROM orders o WHERE o.checkout_id = e.id AND NOT o.live AND o.winner_id IS NOT NULL) > 0 AS paid FROM ended e),
    later AS (INSERT INTO late_checkouts SELECT d.id, d.merchant_account_id FROM due d WHERE d.undecided ON CONFLICT DO NOTHING),
    known AS (DELETE FROM late_checkouts l WHERE l.checkout_id = ANY (ARRAY(SELECT d.id::bytea FROM due d WHERE NOT d.undecided))),
    -- an attempt that was counted since is seen the next time
    x AS (UPDATE checkouts c SET status = 'expired' FROM due d WHERE c.id = d.id AND NOT d.undecided AND NOT d.paid AND d.attempts < d.max_attempts
        AND c.status = 'created' AND c.attempts = d.attempts RETURNING c.id, c.merchant_account_id),
    e AS (INSERT INTO events (subject_id, seq, merchant_account_id, type) SELECT id, 1, merchant_account_id, 'checkout.expired' FROM x ON CONFLICT DO NOTHING RETURNING 1)
  SELECT p.id FROM page p WHERE (SELECT count(*) FROM page) = room ORDER BY p.id DESC LIMIT 1 $$;

-- Idempotency-Keys of a stretch of time: of orders, by their old path too, and maintenance, which are kept for longer, or of all else.
DROP FUNCTION payment.forget_keys();
CREATE FUNCTION payment.forget_keys(after timestamptz, until timestamptz, of_orders boolean) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH gone AS (DELETE FROM idempotency_keys k WHERE k.created_at > after AND k.created_at <= until
    AND (k.route ~ ' /(payment/(order|maintenance)|order/create)') = of_orders RETURNING 1)
  SELECT count(*) FROM gone $$;

GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['claim_events(interval, int)', 'expire_checkouts(timestamptz, timestamptz, bytea, int)', 'forget_keys(timestamptz, timestamptz, boolean)'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;

-- as before (0013), but for a message that was looked at
CREATE OR REPLACE FUNCTION payment.next_due(source text) RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT CASE source
    WHEN 'operations' THEN (SELECT min(due_at) FROM operations WHERE due_at > '-infinity' AND state IN ('requested','in_doubt','review')
      AND provider <> ALL (ARRAY(SELECT name FROM providers WHERE health = 'open')))
    WHEN 'authentications' THEN (SELECT min(due_at) FROM authentications WHERE due_at > '-infinity' AND state IN ('requested','method','challenge'))
    -- what waits behind another one of its order is taken when that one is done; what is on its way ends by itself
    WHEN 'notifications' THEN (SELECT min(n.due_at) FROM endpoints e CROSS JOIN LATERAL
      (SELECT x.due_at FROM notifications x WHERE x.endpoint_id = e.id AND x.state = 'waiting' AND x.due_at > '-infinity' AND x.leased_until IS NULL ORDER BY x.due_at LIMIT 1) n WHERE e.state = 'on')
    -- a provider that is down is probed every few seconds, and looked for no closer than by the minute
    WHEN 'probes' THEN (SELECT date_trunc('minute', min(next_probe_at)) + interval '1 min' FROM providers WHERE health = 'open' AND next_probe_at > '-infinity')
    WHEN 'messages' THEN (SELECT min(coalesce(looked_at, received_at)) + interval '30 s' FROM provider_events WHERE received_at > '-infinity' AND state = 'received')
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

-- as before (0009), but for what waits for an endpoint that has ended
CREATE OR REPLACE FUNCTION payment.claim_notifications(room int, lease interval, connections int)
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
    -- an event that was on its way while the endpoint ended, or one of very many: so many of them with each claim, everybody waits for it
    IF n.state = 'deleted' THEN
      DELETE FROM notifications x WHERE x.merchant_account_id = n.merchant_account_id AND x.id = ANY (ARRAY(SELECT y.id::bytea FROM notifications y WHERE y.endpoint_id = n.id AND y.state = 'waiting' ORDER BY y.due_at LIMIT 1000));
      CONTINUE; END IF;
    IF n.state = 'off' THEN
      UPDATE notifications x SET state = 'parked', leased_until = NULL, last_error = coalesce(x.last_error, 'the endpoint is switched off') WHERE x.merchant_account_id = n.merchant_account_id
        AND x.id = ANY (ARRAY(SELECT y.id::bytea FROM notifications y WHERE y.endpoint_id = n.id AND y.state = 'waiting' ORDER BY y.due_at LIMIT 1000)) AND x.state = 'waiting';
      CONTINUE; END IF;
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
