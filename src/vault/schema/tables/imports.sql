-- How far a file came: its cards and this are one commit (docs/decisions/0016).
CREATE TABLE vault.imports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  merchant_account_id vault.id24 NOT NULL,
  -- keyed: a file of one card must not be guessed
  input_mac bytea NOT NULL
    CONSTRAINT imports_input_mac_is_32_bytes CHECK (octet_length(input_mac) = 32),
  actor text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT vault.now(),
  finished_at timestamptz,
  line int NOT NULL DEFAULT 0,
  in_offset bigint NOT NULL DEFAULT 0,
  out_offset bigint NOT NULL DEFAULT 0,
  cards int NOT NULL DEFAULT 0,
  refused int NOT NULL DEFAULT 0
);

CREATE INDEX imports_by_input ON vault.imports (merchant_account_id, input_mac);

GRANT SELECT, INSERT ON vault.imports TO vault_app;
GRANT UPDATE (
  finished_at, line, in_offset, out_offset, cards, refused
) ON vault.imports TO vault_app;
