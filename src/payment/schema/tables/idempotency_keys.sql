-- Idempotency-Keys of requests, and what each made.
CREATE TABLE payment.idempotency_keys (
  merchant_account_id payment.id24 NOT NULL,
  route text NOT NULL,
  key text NOT NULL
    CONSTRAINT idempotency_keys_key_has_a_length CHECK (length(key) BETWEEN 1 AND 255),
  object_id payment.id24 NOT NULL,
  fingerprint bytea NOT NULL
    CONSTRAINT idempotency_keys_fingerprint_is_32_bytes CHECK (octet_length(fingerprint) = 32),
  created_at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, route, key)
);

CREATE INDEX idempotency_keys_age ON payment.idempotency_keys USING brin (created_at);

ALTER TABLE payment.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.idempotency_keys TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.idempotency_keys TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.idempotency_keys TO payment_app;
GRANT SELECT, DELETE ON payment.idempotency_keys TO payment_queue;
