-- The schema of the card zone when the numbered migrations began; today.sql is what it is now.
-- Runs as florin_owner; the roles exist (kit/migrate.ts).
-- No role of the money zone has any right here.
\ir ../types.sql

-- what tables call: in their defaults, their policies and their triggers
\ir ../functions/now.sql
\ir ../functions/refuse.sql
\ir ../functions/never_back.sql
\ir ../functions/chain.sql

\ir ../tables/clock.sql
\ir ../tables/key_epoch.sql
\ir ../tables/data_keys.sql
\ir ../tables/rotations.sql
\ir ../tables/fingerprints.sql
\ir ../tables/cards.sql
\ir ../tables/cvcs.sql
\ir ../tables/cvc_keys.sql
\ir ../tables/forwards.sql
\ir ../tables/idempotency_keys.sql
\ir ../tables/api_keys.sql
\ir ../tables/partners.sql
\ir ../tables/contracts.sql
\ir ../tables/audit.sql
\ir ../tables/operators.sql
\ir ../tables/imports.sql
\ir ../tables/exports.sql

\ir ../rows.sql

GRANT USAGE ON SCHEMA vault TO vault_app;
