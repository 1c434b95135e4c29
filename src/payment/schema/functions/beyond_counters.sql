-- What the rules of captures, refunds and cancels ask of an order beyond its counters (payment/order-rules): its
-- operations, disputes and open contradictions. Called by order_facts.
CREATE OR REPLACE FUNCTION payment.beyond_counters(of_order bytea, of_account bytea)
RETURNS json
LANGUAGE sql STABLE
AS $$
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
  )
$$;
