-- What notifications say of an order: its counters and its last transaction as this commit leaves
-- them. Several events of one commit have the same amounts. Called by fan_out.
CREATE OR REPLACE FUNCTION payment.order_facts(e payment.events)
RETURNS json
LANGUAGE sql STABLE
AS $$
  SELECT json_build_object(
    'order_merchant_id', o.order_merchant_id,
    'checkout_id', encode(o.checkout_id, 'hex'),
    'link', payment.link_of_checkout(o.checkout_id, o.merchant_account_id),
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
    'provider_ref', attempted.provider_ref,
    'provider_text', left(attempted.provider_text, 500),
    'authentication', CASE
      WHEN q.id IS NOT NULL
      THEN json_build_object(
        'partner', q.partner,
        'state', q.state,
        'trans_status', q.trans_status,
        'code', q.code,
        'handle', encode(q.handle, 'hex')
      )
    END,
    'elsewhere', CASE
      WHEN asked."3ds_data" IS NOT NULL
      THEN json_build_object('pares_status', asked."3ds_data" ->> 'pares_status')
    END,
    'exempted', asked.sca_exemption_reason IS NOT NULL,
    'operation', CASE
      WHEN p.id IS NOT NULL
      THEN json_build_object(
        'id', encode(p.id, 'hex'),
        'kind', p.kind,
        'operation_merchant_id', p.operation_merchant_id
      )
    END,
    -- what the flags of a notification ask beyond the counters, where there can be any of it: the limit is 50
    -- operations of a kind, and every operation moves the version
    'beyond', CASE
      WHEN o.contradicted
        OR o.version > 50
        OR o.captured_minor > 0 AND EXISTS (
          SELECT 1
          FROM payment.disputes d
          WHERE d.order_id = o.id
            AND d.merchant_account_id = o.merchant_account_id
        )
      THEN payment.beyond_counters(o.id, o.merchant_account_id)
    END
  )
  FROM payment.orders o
  CROSS JOIN LATERAL json_to_record(o.body) AS asked ("3ds_data" json, sca_exemption_reason text)
  LEFT JOIN LATERAL (
    SELECT *
    FROM payment.transactions x
    WHERE x.order_id = o.id
    ORDER BY x.attempt DESC
    LIMIT 1
  ) t ON true
  LEFT JOIN payment.operations attempted ON attempted.order_id = o.id AND attempted.id = t.id
  -- a fallback goes on with the authentication of the try before it, unless it has one of its own
  LEFT JOIN payment.authentications q ON q.order_id = o.id
    AND q.transaction_id = CASE
      WHEN t.cascade_of IS NULL
      THEN t.id
      ELSE (
        SELECT x.id
        FROM payment.transactions x
        JOIN payment.authentications a ON a.order_id = x.order_id AND a.transaction_id = x.id
        WHERE x.order_id = o.id
          AND x.attempt >= (
            SELECT max(began.attempt)
            FROM payment.transactions began
            WHERE began.order_id = o.id
              AND began.cascade_of IS NULL
          )
        ORDER BY x.attempt DESC
        LIMIT 1
      )
    END
  LEFT JOIN LATERAL (
    SELECT *
    FROM payment.operations x
    WHERE x.order_id = o.id
      AND (
        x.id = e.operation_id AND e.type NOT LIKE 'authorization_cancel%'
        OR e.type LIKE 'authorization_cancel%' AND x.kind = 'cancel'
      )
    ORDER BY x.id DESC
    LIMIT 1
  ) p ON true
  WHERE o.merchant_account_id = e.merchant_account_id
    AND o.id = e.subject_id
$$;
