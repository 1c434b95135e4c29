-- Some values that are sealed under the key, of every kind and any account, from either end: to try
-- a key on. whose: the customer, or the id of what it belongs to. For every start.
CREATE OR REPLACE FUNCTION payment.sealed_samples(room int)
RETURNS TABLE (kind text, merchant_account_id bytea, whose text, sealed bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  (SELECT 'saved card', s.merchant_account_id::bytea, s.customer_id, s.token_sealed
    FROM saved_cards s
    WHERE s.merchant_account_id > ''::bytea
    ORDER BY s.merchant_account_id, s.customer_id, s.card_digest
    LIMIT room)
  UNION
  (SELECT 'saved card', s.merchant_account_id::bytea, s.customer_id, s.token_sealed
    FROM saved_cards s
    WHERE s.merchant_account_id > ''::bytea
    ORDER BY s.merchant_account_id DESC, s.customer_id DESC, s.card_digest DESC
    LIMIT room)
  UNION
  (SELECT 'saved card', j.merchant_account_id::bytea, j.customer_id, j.token_sealed
    FROM customer_orders j
    WHERE j.merchant_account_id > ''::bytea
      AND j.token_sealed IS NOT NULL
    ORDER BY j.merchant_account_id, j.customer_id, j.order_id
    LIMIT room)
  UNION
  (SELECT 'endpoint', e.merchant_account_id::bytea, encode(e.id, 'hex'), e.secret_sealed
    FROM endpoints e
    WHERE e.id > ''::bytea
    ORDER BY e.id
    LIMIT room)
  UNION
  (SELECT 'endpoint', e.merchant_account_id::bytea, encode(e.id, 'hex'), e.secret_sealed
    FROM endpoints e
    WHERE e.id > ''::bytea
    ORDER BY e.id DESC
    LIMIT room)
  UNION
  (SELECT 'contract', c.merchant_account_id::bytea, encode(c.id, 'hex'), c.credentials_sealed
    FROM contracts c
    WHERE c.id > ''::bytea
      AND c.credentials_sealed IS NOT NULL
    ORDER BY c.id
    LIMIT room)
  UNION
  (SELECT 'contract', c.merchant_account_id::bytea, encode(c.id, 'hex'), c.credentials_sealed
    FROM contracts c
    WHERE c.id > ''::bytea
      AND c.credentials_sealed IS NOT NULL
    ORDER BY c.id DESC
    LIMIT room)
  UNION
  (SELECT 'checks', c.merchant_account_id::bytea, encode(c.id, 'hex'), c.checks_sealed
    FROM contracts c
    WHERE c.id > ''::bytea
      AND c.checks_sealed IS NOT NULL
    ORDER BY c.id DESC
    LIMIT room)
  UNION
  (SELECT 'person', NULL::bytea, encode(p.id, 'hex'), p.totp_sealed
    FROM people p
    WHERE p.id > ''::bytea
      AND p.totp_sealed IS NOT NULL
    ORDER BY p.id DESC
    LIMIT room)
  UNION
  (SELECT 'sign-on', s.merchant_account_id::bytea, encode(s.merchant_account_id, 'hex'), s.secret_sealed
    FROM sign_on s
    WHERE s.merchant_account_id > ''::bytea
    ORDER BY s.merchant_account_id DESC
    LIMIT room)
$$;

ALTER FUNCTION payment.sealed_samples(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.sealed_samples(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.sealed_samples(int) TO payment_app;
