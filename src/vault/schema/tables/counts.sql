-- What each process has counted within a minute, for limits that hold for all of them (http/counts.ts).
-- UNLOGGED: a minute of counts may be lost with the server. A name is a hash of what is counted.
CREATE UNLOGGED TABLE vault.counts (
  name bytea NOT NULL CONSTRAINT counts_name_is_16_bytes CHECK (octet_length(name) = 16),
  process vault.id24 NOT NULL,
  counted int NOT NULL,
  until timestamptz NOT NULL,

  PRIMARY KEY (name, process)
);

CREATE INDEX counts_until ON vault.counts (until);

GRANT SELECT, INSERT, UPDATE, DELETE ON vault.counts TO vault_app;
