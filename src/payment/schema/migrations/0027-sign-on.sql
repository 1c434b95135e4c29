-- People of an account sign in at its provider of identities.
\ir ../tables/sign_on.sql

\ir ../tables/sign_on_domains.sql

\ir ../tables/sign_on_people.sql

\ir ../tables/sign_on_attempts.sql

ALTER TABLE payment.sessions
  -- the one account that a session of single sign-on is for; NULL: it began with a password or passkey
  ADD COLUMN sign_on_account payment.id24,
  -- where such a session is ended at the provider
  ADD COLUMN sign_out_url text;
