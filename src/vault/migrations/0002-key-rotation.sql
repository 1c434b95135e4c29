-- Keys that rotate under load (vault.md 4), and the record of what was done with them (targets.md 13).
ALTER TABLE vault.data_keys DROP CONSTRAINT data_keys_state_check;
-- announced: known to every process, not yet written with. closed: nothing new is written with it; what began before ends first.
ALTER TABLE vault.data_keys ADD CONSTRAINT data_keys_state_check CHECK (state IN ('announced','active','retired','closed','destroyed'));
ALTER TABLE vault.data_keys ADD COLUMN destroyed_at timestamptz;
CREATE INDEX data_keys_by_kek ON vault.data_keys (kek_ref, id) WHERE state <> 'destroyed';
CREATE INDEX data_keys_by_state ON vault.data_keys (purpose, state, id);

-- Goes up with every change of a key: a process that sees another number forgets what it thought was active.
CREATE TABLE vault.key_epoch (one boolean PRIMARY KEY DEFAULT true CHECK (one), epoch bigint NOT NULL DEFAULT 0, kek_ref text);
INSERT INTO vault.key_epoch DEFAULT VALUES;

CREATE TABLE vault.rotations (           -- what is left of a rotation is what still has an old key; only a walk needs a cursor
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL CHECK (kind IN ('kek','data','fingerprint')), actor text NOT NULL,
  from_ref text NOT NULL, from_id bigint NOT NULL,   -- the key-encryption key, and the newest data key, when it began: these are the old ones
  started_at timestamptz NOT NULL DEFAULT vault.now(), finished_at timestamptz, cursor bytea NOT NULL DEFAULT '\x');
CREATE UNIQUE INDEX one_rotation ON vault.rotations (kind) WHERE finished_at IS NULL;

CREATE INDEX cards_by_key ON vault.cards (data_key_id);
-- sealed answers and tokens carry the id of their key in bytes 2 to 9
CREATE INDEX answers_by_key ON vault.forwards (substring(answer_sealed FROM 2 FOR 8)) WHERE answer_sealed IS NOT NULL;
CREATE INDEX tokens_by_key ON vault.idempotency_keys (substring(token_sealed FROM 2 FOR 8));

CREATE TABLE vault.audit (               -- who, what, when, from where, result, object (PCI DSS 10.2.2); never card data
  id bigint PRIMARY KEY, at timestamptz NOT NULL, actor text NOT NULL, action text NOT NULL, object text NOT NULL, result text NOT NULL,
  source text NOT NULL, detail jsonb NOT NULL, hash bytea NOT NULL CHECK (octet_length(hash) = 32));
-- Ids without a gap, each hash over the one before: a record that is changed, taken out or moved is found (vault/audit/audit.ts).
CREATE FUNCTION vault.chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE last vault.audit;
BEGIN
  PERFORM pg_advisory_xact_lock(714020);
  SELECT * INTO last FROM vault.audit ORDER BY id DESC LIMIT 1;
  NEW.id := coalesce(last.id, 0) + 1;
  NEW.at := date_trunc('milliseconds', vault.now());
  NEW.hash := sha256(coalesce(last.hash, '\x') || convert_to(jsonb_build_array(NEW.id, extract(epoch FROM NEW.at)::numeric(20,3)::text,
    NEW.actor, NEW.action, NEW.object, NEW.result, NEW.source, NEW.detail)::text, 'UTF8'));
  RETURN NEW;
END $$;
CREATE TRIGGER chain BEFORE INSERT ON vault.audit FOR EACH ROW EXECUTE FUNCTION vault.chain();
CREATE FUNCTION vault.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'append only: %', TG_TABLE_NAME USING ERRCODE = '23514'; END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON vault.audit FOR EACH STATEMENT EXECUTE FUNCTION vault.refuse();

GRANT SELECT, INSERT ON vault.audit, vault.rotations TO vault_app;
GRANT SELECT ON vault.key_epoch TO vault_app;
GRANT UPDATE (epoch, kek_ref) ON vault.key_epoch TO vault_app;
GRANT UPDATE (finished_at, cursor) ON vault.rotations TO vault_app;
GRANT UPDATE (kek_ref, wrapped, state, destroyed_at) ON vault.data_keys TO vault_app;
GRANT UPDATE (sealed, data_key_id) ON vault.cards TO vault_app;
GRANT UPDATE (token_sealed) ON vault.idempotency_keys TO vault_app;
GRANT DELETE ON vault.fingerprints TO vault_app;
