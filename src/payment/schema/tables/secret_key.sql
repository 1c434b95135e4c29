-- Which key the sealed values of this database belong to (docs/decisions/0053): a value made from
-- the money zone's key that says nothing of it. A process with another key, or with none, does not
-- start.
CREATE TABLE payment.secret_key (
  one boolean PRIMARY KEY DEFAULT true CONSTRAINT secret_key_one_row CHECK (one),
  check_value bytea NOT NULL
    CONSTRAINT secret_key_check_value_is_32_bytes CHECK (octet_length(check_value) = 32),
  first_used_at timestamptz NOT NULL DEFAULT payment.now()
);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.secret_key
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

GRANT SELECT, INSERT ON payment.secret_key TO payment_app;
