-- The cvc for several vault processes (vault.md 8). UNLOGGED: not in WAL, replicas or base backups, emptied by a crash.
-- A slot is a generation modulo 8: TRUNCATE drops the file of the slot, which a deleted row would not.
CREATE TABLE vault.cvcs (slot int NOT NULL, token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  checkout_id vault.id24 NOT NULL, generation int NOT NULL, sealed bytea NOT NULL, expires_at timestamptz NOT NULL,
  PRIMARY KEY (slot, token_hash, checkout_id)) PARTITION BY LIST (slot);
CREATE TABLE vault.cvc_keys (slot int NOT NULL, generation int NOT NULL, kek_ref text NOT NULL, wrapped bytea NOT NULL,
  PRIMARY KEY (slot, generation)) PARTITION BY LIST (slot);
DO $$ DECLARE t text; BEGIN FOREACH t IN ARRAY ARRAY['cvcs','cvc_keys'] LOOP FOR s IN 0..7 LOOP
  EXECUTE format('CREATE UNLOGGED TABLE vault.%1$s_%2$s PARTITION OF vault.%1$s FOR VALUES IN (%2$s)', t, s);
  EXECUTE format('GRANT TRUNCATE ON vault.%1$s_%2$s TO vault_app', t, s); END LOOP; END LOOP; END $$;
GRANT SELECT, INSERT, DELETE ON vault.cvcs, vault.cvc_keys TO vault_app;
GRANT UPDATE (generation, sealed, expires_at) ON vault.cvcs TO vault_app;
GRANT UPDATE (kek_ref, wrapped) ON vault.cvc_keys TO vault_app;
CREATE FUNCTION vault.drop_cvc_slot(slot int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  EXECUTE format('TRUNCATE vault.cvcs_%1$s, vault.cvc_keys_%1$s', slot); END $$;
