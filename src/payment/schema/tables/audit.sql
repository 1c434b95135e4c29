-- The audit: a chain for each merchant account, and one for the deployment under the account of 24
-- zeros (docs/decisions/0017).
CREATE TABLE payment.audit (
  merchant_account_id payment.id24 NOT NULL,
  seq bigint NOT NULL,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  object text NOT NULL,
  result text NOT NULL
    CONSTRAINT audit_result_is_known CHECK (result IN ('done', 'failed', 'refused')),
  source text NOT NULL,
  reason text,
  detail jsonb NOT NULL,
  hash bytea NOT NULL CONSTRAINT audit_hash_is_32_bytes CHECK (octet_length(hash) = 32),

  PRIMARY KEY (merchant_account_id, seq)
);

CREATE INDEX audit_by_object ON payment.audit (merchant_account_id, object);

CREATE TRIGGER chain BEFORE INSERT ON payment.audit
  FOR EACH ROW
  EXECUTE FUNCTION payment.chain();

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.audit
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

ALTER TABLE payment.audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.audit FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.audit TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.audit TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.audit TO payment_app;
