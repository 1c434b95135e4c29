-- Codes in place of a second factor that was lost: each is good once.
CREATE TABLE payment.recovery_codes (
  person_id payment.id24 NOT NULL REFERENCES payment.people,
  digest bytea NOT NULL
    CONSTRAINT recovery_codes_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  used_at timestamptz,

  PRIMARY KEY (person_id, digest)
);

GRANT SELECT, INSERT, DELETE ON payment.recovery_codes TO payment_app;
GRANT UPDATE (used_at) ON payment.recovery_codes TO payment_app;
