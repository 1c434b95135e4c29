-- Who, what, when, from where, result, object (PCI DSS 10.2.2); never card data. Ids without a gap,
-- each hash over the one before: a record that is changed, taken out or moved is found
-- (docs/decisions/0017).
CREATE TABLE vault.audit (
  id bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  object text NOT NULL,
  result text NOT NULL,
  source text NOT NULL,
  detail jsonb NOT NULL,
  hash bytea NOT NULL CONSTRAINT audit_hash_is_32_bytes CHECK (octet_length(hash) = 32)
);

CREATE TRIGGER chain BEFORE INSERT ON vault.audit
  FOR EACH ROW
  EXECUTE FUNCTION vault.chain();

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON vault.audit
  FOR EACH STATEMENT
  EXECUTE FUNCTION vault.refuse();

GRANT SELECT, INSERT ON vault.audit TO vault_app;
