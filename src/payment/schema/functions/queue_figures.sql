-- Figures of the queues for the metrics: how many wait and for how many seconds the oldest does, by
-- what tells them apart; nothing names a merchant account.
CREATE OR REPLACE FUNCTION payment.queue_figures()
RETURNS TABLE (
  queue text,
  part text,
  state text,
  waiting bigint,
  oldest_s double precision
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT
    'operations', p.provider, p.state, count(*),
    extract(epoch FROM payment.now() - min(p.created_at))::float8
  FROM operations p
  WHERE p.state IN ('requested', 'in_doubt', 'review')
    AND p.due_at > '-infinity'
  GROUP BY 2, 3
  UNION ALL
  SELECT
    'overdue operations', p.provider, '', count(*),
    extract(epoch FROM payment.now() - min(p.due_at))::float8
  FROM operations p
  WHERE p.state IN ('requested', 'in_doubt', 'review')
    AND p.due_at < (SELECT payment.now())
  GROUP BY 2
  UNION ALL
  SELECT
    'provider messages', e.provider, e.state, count(*),
    extract(epoch FROM payment.now() - min(e.received_at))::float8
  FROM provider_events e
  WHERE e.state IN ('received', 'parked')
    AND e.received_at > '-infinity'
  GROUP BY 2, 3
  UNION ALL
  SELECT
    'stray findings', f.provider, '', count(*),
    extract(epoch FROM payment.now() - min(f.found_at))::float8
  FROM reconcile_findings f
  WHERE f.state = 'open'
    AND f.merchant_account_id > ''::bytea
    AND NOT EXISTS (
      SELECT FROM merchant_accounts a
      WHERE a.merchant_account_id = f.merchant_account_id
    )
  GROUP BY 2
  UNION ALL
  SELECT
    'card removals', '', '', count(*),
    coalesce(extract(epoch FROM payment.now() - min(r.requested_at)), 0)::float8
  FROM card_removals r
  WHERE r.due_at > '-infinity'
  UNION ALL
  SELECT 'search', '', '', pg_snapshot_xmin(pg_current_snapshot())::text::bigint - s.next_tx, 0
  FROM order_search_state s
  UNION ALL
  SELECT 'providers down', v.name, '', 1, 0
  FROM providers v
  WHERE v.health = 'open'
  UNION ALL
  SELECT
    'notifications', '', '', count(*),
    coalesce(extract(epoch FROM payment.now() - min(n.created_at)), 0)::float8
  FROM notifications n
  WHERE n.state = 'waiting'
  UNION ALL
  SELECT
    'overdue notifications', '', '', count(*),
    coalesce(extract(epoch FROM payment.now() - min(n.due_at)), 0)::float8
  FROM notifications n
  WHERE n.state = 'waiting'
    AND n.leased_until IS NULL
    AND n.due_at < (SELECT payment.now())
  UNION ALL
  SELECT
    'failing endpoints', '', '', count(*),
    coalesce(extract(epoch FROM payment.now() - min(e.failing_since)), 0)::float8
  FROM endpoints e
  WHERE e.state = 'on'
    AND e.failing_since IS NOT NULL
  UNION ALL
  -- bytes that wait for a part of their month (keep_months): a default part without rows has none
  SELECT 'without a month', 'observations', '', pg_relation_size('payment.observations_default'), 0
$$;

ALTER FUNCTION payment.queue_figures() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.queue_figures() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.queue_figures() TO payment_app;
