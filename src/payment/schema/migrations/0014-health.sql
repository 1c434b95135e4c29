-- A provider comes back by halves, its calls are counted, and a person may hold it.
\ir ../tables/health_counts.sql
\ir ../tables/health_changes.sql

ALTER TABLE payment.providers DROP CONSTRAINT providers_health_is_known;
ALTER TABLE payment.providers ADD CONSTRAINT providers_health_is_known
  CHECK (health IN ('closed', 'open', 'half', 'spread'));
-- what its detectors stand at (core/routing/health.ts); NULL: as in the beginning
ALTER TABLE payment.providers ADD COLUMN watch json;
-- calls written down later are to be looked at
ALTER TABLE payment.providers ADD COLUMN watched_to timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE payment.providers ADD COLUMN held text
  CONSTRAINT providers_held_is_known CHECK (held IN ('open', 'closed'));
