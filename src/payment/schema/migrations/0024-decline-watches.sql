-- Contracts are compared in what they decline, and changes may be of one contract alone.
\ir ../tables/decline_counts.sql
\ir ../tables/decline_watches.sql

-- NULL: of the provider, whoever pays there
ALTER TABLE payment.health_changes ADD COLUMN contract_id payment.id24;
ALTER TABLE payment.health_changes ADD COLUMN scheme text;
