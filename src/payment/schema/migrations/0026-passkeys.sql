-- People sign in with passkeys, too.
\ir ../tables/passkeys.sql

\ir ../tables/passkey_challenges.sql
