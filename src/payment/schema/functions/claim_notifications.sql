-- Notifications to be sent, each for one worker at a time. Endpoint by endpoint, found by jumping
-- through the index, so one with many waiting hides none. The row of the endpoint is locked while
-- its connections are counted: over all processes there are never more than `connections` to it,
-- and one that has failed for a while gets one. Rows are claimed by their state, never by a number
-- above one already seen.
CREATE OR REPLACE FUNCTION payment.claim_notifications(room int, lease interval, connections int)
RETURNS TABLE (
  id payment.id24,
  merchant_account_id payment.id24,
  endpoint_id payment.id24,
  event text,
  subject_id payment.id24,
  order_id payment.id24,
  sequence int,
  previous_sequence int,
  facts json,
  body text,
  tries int,
  scheduled boolean,
  url text,
  secret_sealed bytea,
  old_secret_sealed bytea
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
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
END
$$;

ALTER FUNCTION payment.claim_notifications(int, interval, int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_notifications(int, interval, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_notifications(int, interval, int) TO payment_app;
