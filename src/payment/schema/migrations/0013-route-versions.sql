-- Routing rules are published as versions, and an attempt keeps why it went where it went: NULL is
-- an account without rules, whose first contract that fits was taken (docs/decisions/0098).
\ir ../tables/route_versions.sql

ALTER TABLE payment.transactions ADD COLUMN route json;
