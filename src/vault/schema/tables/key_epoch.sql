-- Goes up with every change of a key: a process that sees another number forgets what it thought
-- was active.
CREATE TABLE vault.key_epoch (
  one boolean PRIMARY KEY DEFAULT true CONSTRAINT key_epoch_one_row CHECK (one),
  epoch bigint NOT NULL DEFAULT 0,
  kek_ref text
);

GRANT SELECT ON vault.key_epoch TO vault_app;
GRANT UPDATE (epoch, kek_ref) ON vault.key_epoch TO vault_app;
