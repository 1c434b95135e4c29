-- Processes that answer callers: each says every other second that it lives. Limits of a second are
-- divided by how many there are.
CREATE UNLOGGED TABLE vault.processes (
  id vault.id24 PRIMARY KEY,
  beat_at timestamptz NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON vault.processes TO vault_app;
