-- The keys of the cvcs, in the same slots: gone with them.
CREATE TABLE vault.cvc_keys (
  slot int NOT NULL,
  generation int NOT NULL,
  kek_ref text NOT NULL,
  wrapped bytea NOT NULL,

  PRIMARY KEY (slot, generation)
) PARTITION BY LIST (slot);

GRANT SELECT, INSERT, DELETE ON vault.cvc_keys TO vault_app;
GRANT UPDATE (kek_ref, wrapped) ON vault.cvc_keys TO vault_app;

CREATE UNLOGGED TABLE vault.cvc_keys_0 PARTITION OF vault.cvc_keys FOR VALUES IN (0);
CREATE UNLOGGED TABLE vault.cvc_keys_1 PARTITION OF vault.cvc_keys FOR VALUES IN (1);
CREATE UNLOGGED TABLE vault.cvc_keys_2 PARTITION OF vault.cvc_keys FOR VALUES IN (2);
CREATE UNLOGGED TABLE vault.cvc_keys_3 PARTITION OF vault.cvc_keys FOR VALUES IN (3);
CREATE UNLOGGED TABLE vault.cvc_keys_4 PARTITION OF vault.cvc_keys FOR VALUES IN (4);
CREATE UNLOGGED TABLE vault.cvc_keys_5 PARTITION OF vault.cvc_keys FOR VALUES IN (5);
CREATE UNLOGGED TABLE vault.cvc_keys_6 PARTITION OF vault.cvc_keys FOR VALUES IN (6);
CREATE UNLOGGED TABLE vault.cvc_keys_7 PARTITION OF vault.cvc_keys FOR VALUES IN (7);
GRANT TRUNCATE ON
  vault.cvc_keys_0, vault.cvc_keys_1, vault.cvc_keys_2, vault.cvc_keys_3, vault.cvc_keys_4,
  vault.cvc_keys_5, vault.cvc_keys_6, vault.cvc_keys_7
  TO vault_app;
