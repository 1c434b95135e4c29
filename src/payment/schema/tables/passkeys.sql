-- Passkeys of people: the public half of a key that an authenticator keeps, and signs with after it
-- has looked at the person itself.
CREATE TABLE payment.passkeys (
  id payment.id24 PRIMARY KEY,
  person_id payment.id24 NOT NULL REFERENCES payment.people,
  -- what the authenticator calls it
  credential_id bytea NOT NULL UNIQUE
    CONSTRAINT passkeys_credential_id_has_a_length CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL,
  -- how often the authenticator says it was used; 0 always: it does not count
  counter bigint NOT NULL,
  -- a copy is kept where the person's other devices find it
  synced boolean NOT NULL,
  name text NOT NULL CONSTRAINT passkeys_name_has_a_length CHECK (length(name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  used_at timestamptz
);

CREATE INDEX passkeys_by_person ON payment.passkeys (person_id);

GRANT SELECT, INSERT, DELETE ON payment.passkeys TO payment_app;
GRANT UPDATE (counter, synced, used_at) ON payment.passkeys TO payment_app;
