-- The cvc for several vault processes (docs/decisions/0015). UNLOGGED: not in WAL, replicas or base
-- backups, emptied by a crash. A slot is a generation modulo 8: TRUNCATE drops the file of the
-- slot, which a deleted row would not.
CREATE TABLE vault.cvcs (
  slot int NOT NULL,
  token_hash bytea NOT NULL
    CONSTRAINT cvcs_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32),
  checkout_id vault.id24 NOT NULL,
  generation int NOT NULL,
  sealed bytea NOT NULL,
  expires_at timestamptz NOT NULL,

  PRIMARY KEY (slot, token_hash, checkout_id)
) PARTITION BY LIST (slot);

GRANT SELECT, INSERT, DELETE ON vault.cvcs TO vault_app;
GRANT UPDATE (generation, sealed, expires_at) ON vault.cvcs TO vault_app;

CREATE UNLOGGED TABLE vault.cvcs_0 PARTITION OF vault.cvcs FOR VALUES IN (0);
CREATE UNLOGGED TABLE vault.cvcs_1 PARTITION OF vault.cvcs FOR VALUES IN (1);
CREATE UNLOGGED TABLE vault.cvcs_2 PARTITION OF vault.cvcs FOR VALUES IN (2);
CREATE UNLOGGED TABLE vault.cvcs_3 PARTITION OF vault.cvcs FOR VALUES IN (3);
CREATE UNLOGGED TABLE vault.cvcs_4 PARTITION OF vault.cvcs FOR VALUES IN (4);
CREATE UNLOGGED TABLE vault.cvcs_5 PARTITION OF vault.cvcs FOR VALUES IN (5);
CREATE UNLOGGED TABLE vault.cvcs_6 PARTITION OF vault.cvcs FOR VALUES IN (6);
CREATE UNLOGGED TABLE vault.cvcs_7 PARTITION OF vault.cvcs FOR VALUES IN (7);
GRANT TRUNCATE ON
  vault.cvcs_0, vault.cvcs_1, vault.cvcs_2, vault.cvcs_3, vault.cvcs_4, vault.cvcs_5, vault.cvcs_6,
  vault.cvcs_7
  TO vault_app;
