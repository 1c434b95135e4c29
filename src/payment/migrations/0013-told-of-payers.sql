-- What earlier parts could not know of each other: notifications tell of authentication and risk (contract 13.1), and a sandbox's clock
-- steps through what payers and endpoints are waited for (contract 15.4). And a list of lapsing orders that is full of contracts with
-- other days hides none of those that are asked for.
CREATE OR REPLACE FUNCTION payment.order_facts(e payment.events) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('order_merchant_id', o.order_merchant_id, 'checkout_id', encode(o.checkout_id, 'hex'), 'status', o.status, 'amount_minor', o.amount_minor, 'currency', o.currency,
    'authorized_minor', o.authorized_minor, 'released_minor', o.released_minor, 'capturing_minor', o.capturing_minor, 'captured_minor', o.captured_minor,
    'refunding_minor', o.refunding_minor, 'refunded_minor', o.refunded_minor, 'cancel_pending', o.cancel_pending, 'holds', o.winner_id IS NOT NULL AND o.winner_id = t.id,
    'transaction_id', encode(t.id, 'hex'), 'provider', t.provider, 'contract_id', encode(t.contract_id, 'hex'), 'payment_method_name', t.payment_method_name, 'first6', t.first6, 'last4', t.last4,
    'exp_month', t.exp_month, 'exp_year', t.exp_year, 'risk_score', t.risk_score, 'risk_code', t.risk -> 'assessed' ->> 'code', 'provider_ref', a.provider_ref, 'provider_text', left(a.provider_text, 500),
    'authentication', CASE WHEN q.id IS NOT NULL THEN json_build_object('partner', q.partner, 'state', q.state, 'trans_status', q.trans_status, 'code', q.code, 'handle', encode(q.handle, 'hex')) END,
    'operation', CASE WHEN p.id IS NOT NULL THEN json_build_object('id', encode(p.id, 'hex'), 'kind', p.kind, 'operation_merchant_id', p.operation_merchant_id) END)
  FROM payment.orders o
  LEFT JOIN LATERAL (SELECT * FROM payment.transactions x WHERE x.order_id = o.id ORDER BY x.attempt DESC LIMIT 1) t ON true
  LEFT JOIN payment.operations a ON a.order_id = o.id AND a.id = t.id
  LEFT JOIN payment.authentications q ON q.order_id = o.id AND q.transaction_id = t.id
  LEFT JOIN LATERAL (SELECT * FROM payment.operations x WHERE x.order_id = o.id AND (x.id = e.operation_id AND e.type NOT LIKE 'authorization_cancel%' OR e.type LIKE 'authorization_cancel%' AND x.kind = 'cancel')
    ORDER BY x.id DESC LIMIT 1) p ON true
  WHERE o.merchant_account_id = e.merchant_account_id AND o.id = e.subject_id $$;

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

CREATE OR REPLACE FUNCTION payment.lapsing(after bytea, until bytea, days int, room int) RETURNS TABLE (order_id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT o.id, o.merchant_account_id FROM merchant_accounts a
  CROSS JOIN LATERAL (SELECT x.id, x.merchant_account_id FROM orders x
    JOIN LATERAL (SELECT t.contract_id FROM transactions t WHERE t.order_id = x.id ORDER BY t.attempt DESC LIMIT 1) t ON true
    JOIN contracts c ON c.id = t.contract_id AND c.merchant_account_id = x.merchant_account_id AND c.authorization_days = days
    WHERE x.merchant_account_id = a.merchant_account_id AND x.id > after AND x.id <= until AND x.live
      AND (x.winner_id IS NULL OR x.authorized_minor > x.released_minor + x.captured_minor) ORDER BY x.id LIMIT room) o
  ORDER BY o.id LIMIT room $$;
