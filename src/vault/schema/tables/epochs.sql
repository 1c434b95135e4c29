-- The histories this database has had, in order (failover.md 3): one begins with the database, with
-- each server that became primary, and with each loss that an operator accepted. A process that has
-- seen a mark which is not here was told of commits which are not here either.
CREATE TABLE vault.epochs (
  number integer PRIMARY KEY,
  mark bytea NOT NULL CONSTRAINT epochs_mark_is_12_bytes CHECK (octet_length(mark) = 12),
  timeline bigint NOT NULL,
  system_identifier bigint NOT NULL,
  is_accepted boolean NOT NULL DEFAULT false,
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT epochs_mark UNIQUE (mark)
);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON vault.epochs
  FOR EACH STATEMENT
  EXECUTE FUNCTION vault.refuse();

GRANT SELECT, INSERT ON vault.epochs TO vault_app;
