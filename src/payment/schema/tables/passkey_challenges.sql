-- What an authenticator is to sign, once and within some minutes.
CREATE TABLE payment.passkey_challenges (
  challenge bytea PRIMARY KEY
    CONSTRAINT passkey_challenges_challenge_is_32_bytes CHECK (octet_length(challenge) = 32),
  -- hash of the session or of the ticket for the second step that it was given to; NULL: to nobody
  -- who is known yet
  holder bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX passkey_challenges_by_age ON payment.passkey_challenges (created_at);

GRANT SELECT, INSERT, DELETE ON payment.passkey_challenges TO payment_app;
