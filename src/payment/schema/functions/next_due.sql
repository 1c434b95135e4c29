-- When a source of work has something to do next, on the clock of the deployment. For a sandbox's
-- clock that is moved ahead.
CREATE OR REPLACE FUNCTION payment.next_due(source text)
RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT CASE source
    WHEN 'operations' THEN (
      SELECT min(due_at)
      FROM operations
      WHERE due_at > '-infinity'
        AND state IN ('requested', 'in_doubt', 'review')
        AND provider <> ALL (ARRAY(SELECT name FROM providers WHERE health = 'open'))
    )
    WHEN 'authentications' THEN (
      SELECT min(due_at)
      FROM authentications
      WHERE due_at > '-infinity'
        AND state IN ('requested', 'method', 'challenge')
    )
    -- what waits behind another one of its order is taken when that one is done; what is on its way
    -- ends by itself
    WHEN 'notifications' THEN (
      SELECT min(n.due_at)
      FROM endpoints e
      CROSS JOIN LATERAL (
        SELECT x.due_at
        FROM notifications x
        WHERE x.endpoint_id = e.id
          AND x.state = 'waiting'
          AND x.due_at > '-infinity'
          AND x.leased_until IS NULL
        ORDER BY x.due_at
        LIMIT 1
      ) n
      WHERE e.state = 'on'
    )
    -- a provider that is down is probed every few seconds, and looked for no closer than by the
    -- minute
    WHEN 'probes' THEN (
      SELECT date_trunc('minute', min(next_probe_at)) + interval '1 min'
      FROM providers
      WHERE health = 'open'
        AND next_probe_at > '-infinity'
    )
    WHEN 'messages' THEN (
      SELECT min(coalesce(looked_at, received_at)) + interval '30 s'
      FROM provider_events
      WHERE received_at > '-infinity'
        AND state = 'received'
    )
    WHEN 'removals' THEN (
      SELECT min(due_at)
      FROM card_removals
      WHERE due_at > '-infinity'
    )
    WHEN 'lapses' THEN (
      SELECT min(due_at)
      FROM lapses
      WHERE due_at > '-infinity'
    )
    WHEN 'checkouts' THEN (
      SELECT min(expires_at)
      FROM checkouts
      WHERE status = 'created'
        AND expires_at > coalesce(
          (SELECT at FROM jobs WHERE name = 'expire checkouts'),
          '-infinity'
        )
    )
    WHEN 'authorizations' THEN (
      SELECT min(
        -- an id begins with the second in which it was made
        to_timestamp(('x' || encode(substring(first.id FROM 1 FOR 4), 'hex'))::bit(32)::bigint)
        + make_interval(days => d.days)
      )
      FROM (SELECT DISTINCT authorization_days AS days FROM contracts) d
      CROSS JOIN merchant_accounts a
      CROSS JOIN LATERAL (
        SELECT o.id
        FROM orders o
        WHERE o.merchant_account_id = a.merchant_account_id
          AND o.live
          AND o.id > coalesce(
            (SELECT position FROM jobs WHERE name = format('lapse after %s days', d.days)),
            '\x000000000000000000000000'
          )
          AND (o.winner_id IS NULL OR o.authorized_minor > o.released_minor + o.captured_minor)
          AND EXISTS (
            SELECT 1
            FROM (
              SELECT t.contract_id
              FROM transactions t
              WHERE t.order_id = o.id
              ORDER BY t.attempt DESC
              LIMIT 1
            ) last_attempt
            JOIN contracts c ON c.id = last_attempt.contract_id
              AND c.merchant_account_id = o.merchant_account_id
              AND c.authorization_days = d.days
          )
        ORDER BY o.id
        LIMIT 1
      ) first
    )
  END
$$;

ALTER FUNCTION payment.next_due(text) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.next_due(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.next_due(text) TO payment_app;
