-- Rotations of keys. What is left of one is what still has an old key; only a walk needs a cursor.
CREATE TABLE vault.rotations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL
    CONSTRAINT rotations_kind_is_known CHECK (kind IN ('kek', 'data', 'fingerprint')),
  actor text NOT NULL,
  -- the key-encryption key, and the newest data key, when it began: these are the old ones
  from_ref text NOT NULL,
  from_id bigint NOT NULL,
  started_at timestamptz NOT NULL DEFAULT vault.now(),
  finished_at timestamptz,
  cursor bytea NOT NULL DEFAULT '\x'
);

CREATE UNIQUE INDEX one_rotation ON vault.rotations (kind) WHERE finished_at IS NULL;

GRANT SELECT, INSERT ON vault.rotations TO vault_app;
GRANT UPDATE (finished_at, cursor) ON vault.rotations TO vault_app;
