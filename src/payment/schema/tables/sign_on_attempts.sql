-- Sign-ins that were sent to a provider of identities and are not back yet. State, nonce and the
-- verifier of the code follow from what the browser holds; only its hash is here.
CREATE TABLE payment.sign_on_attempts (
  digest bytea PRIMARY KEY
    CONSTRAINT sign_on_attempts_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  account_id payment.id24 NOT NULL,
  issuer text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX sign_on_attempts_by_age ON payment.sign_on_attempts (created_at);

GRANT SELECT, INSERT, DELETE ON payment.sign_on_attempts TO payment_app;
