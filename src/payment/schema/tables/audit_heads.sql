-- The newest record of each chain. It stands apart, so that a tail that was cut off is found too.
CREATE TABLE payment.audit_heads (
  merchant_account_id payment.id24 PRIMARY KEY,
  seq bigint NOT NULL,
  hash bytea NOT NULL CONSTRAINT audit_heads_hash_is_32_bytes CHECK (octet_length(hash) = 32)
);

ALTER TABLE payment.audit_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.audit_heads FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.audit_heads TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.audit_heads TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT ON payment.audit_heads TO payment_app;
GRANT SELECT, INSERT, UPDATE ON payment.audit_heads TO payment_queue;
