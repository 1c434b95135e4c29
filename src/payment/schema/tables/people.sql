-- People of the back office. They and their sessions belong to the deployment; what a person may do
-- belongs to a merchant account. Times of people are those of the real clock: a sandbox's moved one
-- would end every session and every code.
CREATE TABLE payment.people (
  id payment.id24 PRIMARY KEY,
  email text NOT NULL UNIQUE
    CONSTRAINT people_email_is_small_letters CHECK (
      email = lower(email)
      AND length(email) BETWEEN 3 AND 254
    ),
  name text NOT NULL CONSTRAINT people_name_has_a_length CHECK (length(name) BETWEEN 1 AND 100),
  password text NOT NULL,
  totp_sealed bytea,
  totp_confirmed_at timestamptz,
  -- the last step whose code was used: each is good once
  totp_step bigint NOT NULL DEFAULT 0,
  failures int NOT NULL DEFAULT 0,
  locked_until timestamptz,
  last_login_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- what a person proves themselves with at the command line: the hash of a secret of 256 random
  -- bits
  command_digest bytea
    CONSTRAINT people_command_digest_is_32_bytes CHECK (octet_length(command_digest) = 32),
  -- when a try from a network that is not known last failed
  failed_at timestamptz
);

-- email too: an address whose person is a member of nothing any more is free for another one
GRANT SELECT, INSERT ON payment.people TO payment_app;
GRANT UPDATE (
  email, name, password, totp_sealed, totp_confirmed_at, totp_step, failures, locked_until,
  last_login_at, command_digest, failed_at
) ON payment.people TO payment_app;
GRANT SELECT ON payment.people TO payment_queue;
