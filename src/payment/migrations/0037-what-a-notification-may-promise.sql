-- A notification says whether its order can be captured, refunded and cancelled by the rules of requests (docs/decisions/0062), so its
-- event keeps what these ask beyond the counters: disputes, open contradictions, and the operations that they are about or that are
-- too many. Null for nearly every order. The limit is 50 operations of a kind, and every operation moves the version.
CREATE FUNCTION payment.beyond_counters(of_order bytea, of_account bytea) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'operations', (
      SELECT json_agg(json_build_object(
        'id', encode(p.id, 'hex'),
        'kind', p.kind,
        'origin', p.origin,
        'state', p.state,
        'amount_minor', p.amount_minor,
        'target_id', encode(p.target_id, 'hex')
      ) ORDER BY p.id)
      FROM payment.operations p
      WHERE p.order_id = of_order AND p.merchant_account_id = of_account
    ),
    'disputes', (
      SELECT coalesce(json_agg(json_build_object(
        'operation_id', encode(d.operation_id, 'hex'),
        'state', d.state,
        'amount_minor', d.amount_minor
      ) ORDER BY d.id), '[]')
      FROM payment.disputes d
      WHERE d.order_id = of_order AND d.merchant_account_id = of_account
    ),
    'contradictions', (
      SELECT coalesce(json_agg(json_build_object(
        'operation_id', encode(k.operation_id, 'hex'),
        'held', k.held,
        'said', k.said
      ) ORDER BY k.id), '[]')
      FROM payment.contradictions k
      -- one whose operation has moved is ended by the same commit
      JOIN payment.operations p ON p.order_id = k.order_id AND p.id = k.operation_id AND p.state = k.held
      WHERE k.order_id = of_order AND k.merchant_account_id = of_account AND k.state = 'open'
    )
  ) $$;

CREATE OR REPLACE FUNCTION payment.order_facts(e payment.events) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'order_merchant_id', o.order_merchant_id,
    'checkout_id', encode(o.checkout_id, 'hex'),
    'status', o.status,
    'amount_minor', o.amount_minor,
    'currency', o.currency,
    'authorized_minor', o.authorized_minor,
    'released_minor', o.released_minor,
    'capturing_minor', o.capturing_minor,
    'captured_minor', o.captured_minor,
    'refunding_minor', o.refunding_minor,
    'refunded_minor', o.refunded_minor,
    'cancel_pending', o.cancel_pending,
    'holds', o.winner_id IS NOT NULL AND o.winner_id = t.id,
    'transaction_id', encode(t.id, 'hex'),
    'provider', t.provider,
    'contract_id', encode(t.contract_id, 'hex'),
    'payment_method_name', t.payment_method_name,
    'first6', t.first6,
    'last4', t.last4,
    'exp_month', t.exp_month,
    'exp_year', t.exp_year,
    'risk_score', t.risk_score,
    'risk_code', t.risk -> 'assessed' ->> 'code',
    'provider_ref', a.provider_ref,
    'provider_text', left(a.provider_text, 500),
    'authentication', CASE WHEN q.id IS NOT NULL THEN json_build_object(
      'partner', q.partner,
      'state', q.state,
      'trans_status', q.trans_status,
      'code', q.code,
      'handle', encode(q.handle, 'hex')
    ) END,
    'operation', CASE WHEN p.id IS NOT NULL THEN json_build_object(
      'id', encode(p.id, 'hex'),
      'kind', p.kind,
      'operation_merchant_id', p.operation_merchant_id
    ) END,
    'beyond', CASE WHEN o.contradicted OR o.version > 50 OR o.captured_minor > 0 AND EXISTS (
      SELECT 1
      FROM payment.disputes d
      WHERE d.order_id = o.id AND d.merchant_account_id = o.merchant_account_id
    ) THEN payment.beyond_counters(o.id, o.merchant_account_id) END
  )
  FROM payment.orders o
  LEFT JOIN LATERAL (
    SELECT * FROM payment.transactions x WHERE x.order_id = o.id ORDER BY x.attempt DESC LIMIT 1
  ) t ON true
  LEFT JOIN payment.operations a ON a.order_id = o.id AND a.id = t.id
  LEFT JOIN payment.authentications q ON q.order_id = o.id AND q.transaction_id = t.id
  LEFT JOIN LATERAL (
    SELECT *
    FROM payment.operations x
    WHERE x.order_id = o.id
      AND (x.id = e.operation_id AND e.type NOT LIKE 'authorization_cancel%'
        OR e.type LIKE 'authorization_cancel%' AND x.kind = 'cancel')
    ORDER BY x.id DESC
    LIMIT 1
  ) p ON true
  WHERE o.merchant_account_id = e.merchant_account_id AND o.id = e.subject_id $$;
