-- Sessions of the back office. Only the hash of what the browser holds is kept.
CREATE TABLE payment.sessions (
  digest bytea PRIMARY KEY CONSTRAINT sessions_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  id payment.id24 NOT NULL UNIQUE,
  person_id payment.id24 NOT NULL REFERENCES payment.people,
  -- the one the person is looking at
  account_id payment.id24,
  -- totp: the password was right, the code is awaited
  stage text NOT NULL CONSTRAINT sessions_stage_is_known CHECK (stage IN ('totp', 'in')),
  tries int NOT NULL DEFAULT 0,
  source text NOT NULL,
  browser text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- when the person last proved who they are: by password, and by the second factor where there is
  -- one
  proved_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX sessions_by_person ON payment.sessions (person_id);

GRANT SELECT, INSERT, DELETE ON payment.sessions TO payment_app;
GRANT UPDATE (account_id, tries, seen_at, proved_at) ON payment.sessions TO payment_app;
