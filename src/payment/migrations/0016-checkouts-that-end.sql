-- A checkout that was paid or used up its attempts stays what it is when its time ends (contract 5.2); one that is being paid then is
-- looked at again until its order has ended.
CREATE TABLE payment.late_checkouts (
  checkout_id payment.id24 PRIMARY KEY, merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts);
ALTER TABLE payment.late_checkouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.late_checkouts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.late_checkouts TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.late_checkouts TO payment_queue USING (true);
GRANT SELECT ON payment.late_checkouts TO payment_app;
GRANT SELECT, INSERT, DELETE ON payment.late_checkouts TO payment_queue;

DROP FUNCTION payment.expire_checkouts(timestamptz, timestamptz);
CREATE FUNCTION payment.expire_checkouts(after timestamptz, until timestamptz) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH ended AS (SELECT c.id, c.attempts, c.max_attempts, c.merchant_account_id FROM checkouts c WHERE c.expires_at > after AND c.expires_at <= until AND c.status = 'created'
      UNION SELECT c.id, c.attempts, c.max_attempts, c.merchant_account_id FROM late_checkouts l CROSS JOIN LATERAL (SELECT * FROM checkouts x WHERE x.id = l.checkout_id LIMIT 1) c),
    due AS (SELECT e.*, (SELECT count(*) FROM orders o WHERE o.checkout_id = e.id AND o.live AND o.winner_id IS NULL) > 0 AS undecided,
      (SELECT count(*) FROM orders o WHERE o.checkout_id = e.id AND o.live AND o.winner_id IS NOT NULL)
        + (SELECT count(*) FROM orders o WHERE o.checkout_id = e.id AND NOT o.live AND o.winner_id IS NOT NULL) > 0 AS paid FROM ended e),
    later AS (INSERT INTO late_checkouts SELECT d.id, d.merchant_account_id FROM due d WHERE d.undecided ON CONFLICT DO NOTHING),
    known AS (DELETE FROM late_checkouts l WHERE l.checkout_id = ANY (ARRAY(SELECT d.id::bytea FROM due d WHERE NOT d.undecided))),
    -- an attempt that was counted since is seen the next time
    x AS (UPDATE checkouts c SET status = 'expired' FROM due d
      WHERE c.id = ANY (ARRAY(SELECT y.id::bytea FROM due y WHERE NOT y.undecided AND NOT y.paid AND y.attempts < y.max_attempts))
        AND d.id = c.id AND c.status = 'created' AND c.attempts = d.attempts RETURNING c.id, c.merchant_account_id),
    e AS (INSERT INTO events (subject_id, seq, merchant_account_id, type) SELECT id, 1, merchant_account_id, 'checkout.expired' FROM x ON CONFLICT DO NOTHING RETURNING 1)
  SELECT count(*) FROM e $$;

-- Idempotency-Keys past their time (contract 2.9): 30 days for orders, by their old path too, and maintenance, 72 hours otherwise
DROP FUNCTION payment.forget_keys();
CREATE FUNCTION payment.forget_keys() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH gone AS (DELETE FROM idempotency_keys k WHERE k.created_at < (SELECT payment.now()) - interval '72 hours'
    AND (k.created_at < (SELECT payment.now()) - interval '30 days' OR k.route !~ ' /(payment/(order|maintenance)|order/create)') RETURNING 1)
  SELECT count(*) FROM gone $$;

GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['expire_checkouts(timestamptz, timestamptz)', 'forget_keys()'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;

-- a retry may name the order anew (contract 7.4)
GRANT UPDATE (order_merchant_id) ON payment.orders TO payment_app;
