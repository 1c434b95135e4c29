-- Cards that go out to a receiver's key: one person asks, another approves.
CREATE TABLE vault.exports (
  id vault.id24 PRIMARY KEY,
  merchant_account_id vault.id24 NOT NULL,
  receiver_key text NOT NULL,
  receiver_fingerprint text NOT NULL,
  requested_by text NOT NULL REFERENCES vault.operators,
  requested_at timestamptz NOT NULL DEFAULT vault.now(),
  approved_by text REFERENCES vault.operators,
  approved_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  expected int NOT NULL,
  cards int NOT NULL DEFAULT 0,
  out_offset bigint NOT NULL DEFAULT 0,
  cursor bytea NOT NULL DEFAULT '\x',
  file_hash bytea,

  CONSTRAINT exports_approved_by_another CHECK (approved_by <> requested_by),
  CONSTRAINT exports_approved_by_and_at CHECK ((approved_by IS NULL) = (approved_at IS NULL)),
  CONSTRAINT exports_started_after_approval CHECK (started_at IS NULL OR approved_at IS NOT NULL)
);

GRANT SELECT, INSERT ON vault.exports TO vault_app;
GRANT UPDATE (
  approved_by, approved_at, started_at, finished_at, cards, out_offset, cursor, file_hash
) ON vault.exports TO vault_app;
