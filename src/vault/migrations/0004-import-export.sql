-- Cards that come in from a file and go out to a receiver's key (vault.md 9), and the people who ask for it.
CREATE INDEX api_keys_by_merchant ON vault.api_keys (merchant_account_id);
CREATE TABLE vault.operators (           -- their secrets are shown once, and kept as a hash
  name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9._-]{1,39}$'), secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  added_by text NOT NULL, added_at timestamptz NOT NULL DEFAULT vault.now());
CREATE TABLE vault.imports (             -- how far a file came: its cards and this are one commit
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, merchant_account_id vault.id24 NOT NULL,
  input_mac bytea NOT NULL CHECK (octet_length(input_mac) = 32), actor text NOT NULL,   -- keyed: a file of one card must not be guessed
  started_at timestamptz NOT NULL DEFAULT vault.now(), finished_at timestamptz,
  line int NOT NULL DEFAULT 0, in_offset bigint NOT NULL DEFAULT 0, out_offset bigint NOT NULL DEFAULT 0, cards int NOT NULL DEFAULT 0, refused int NOT NULL DEFAULT 0);
CREATE INDEX imports_by_input ON vault.imports (merchant_account_id, input_mac);
CREATE TABLE vault.exports (
  id vault.id24 PRIMARY KEY, merchant_account_id vault.id24 NOT NULL, receiver_key text NOT NULL, receiver_fingerprint text NOT NULL,
  requested_by text NOT NULL REFERENCES vault.operators, requested_at timestamptz NOT NULL DEFAULT vault.now(),
  approved_by text REFERENCES vault.operators, approved_at timestamptz, started_at timestamptz, finished_at timestamptz,
  expected int NOT NULL, cards int NOT NULL DEFAULT 0, out_offset bigint NOT NULL DEFAULT 0, cursor bytea NOT NULL DEFAULT '\x', file_hash bytea,
  CHECK (approved_by <> requested_by), CHECK ((approved_by IS NULL) = (approved_at IS NULL)), CHECK (started_at IS NULL OR approved_at IS NOT NULL));
GRANT SELECT, INSERT ON vault.operators, vault.imports, vault.exports TO vault_app;
GRANT UPDATE (line, in_offset, out_offset, cards, refused, finished_at) ON vault.imports TO vault_app;
GRANT UPDATE (approved_by, approved_at, started_at, finished_at, cards, out_offset, cursor, file_hash) ON vault.exports TO vault_app;
