-- Data keys, wrapped by the key-encryption key, which is never in the database
-- (docs/decisions/0014).
CREATE TABLE vault.data_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  purpose text NOT NULL
    CONSTRAINT data_keys_purpose_is_known CHECK (purpose IN ('card', 'fingerprint', 'secret')),
  merchant_account_id vault.id24,
  version int NOT NULL,
  kek_ref text NOT NULL,
  wrapped bytea,
  -- announced: known to every process, not yet written with. closed: nothing new is written with
  -- it, and what began before ends first
  state text NOT NULL DEFAULT 'active'
    CONSTRAINT data_keys_state_is_known CHECK (state IN (
      'announced', 'active', 'retired', 'closed', 'destroyed'
    )),
  created_at timestamptz NOT NULL DEFAULT vault.now(),
  destroyed_at timestamptz,

  CONSTRAINT data_keys_only_card_keys_have_merchant CHECK (
    (purpose = 'card') = (merchant_account_id IS NOT NULL)
  ),
  CONSTRAINT data_keys_destroyed_has_no_key CHECK ((state = 'destroyed') = (wrapped IS NULL))
);

CREATE UNIQUE INDEX one_version ON vault.data_keys (
  purpose,
  coalesce(merchant_account_id, '\x000000000000000000000000'),
  version
);

CREATE UNIQUE INDEX one_active ON vault.data_keys (
  purpose,
  coalesce(merchant_account_id, '\x000000000000000000000000')
)
  WHERE state = 'active';

CREATE INDEX data_keys_by_kek ON vault.data_keys (kek_ref, id) WHERE state <> 'destroyed';

CREATE INDEX data_keys_by_state ON vault.data_keys (purpose, state, id);

GRANT SELECT, INSERT ON vault.data_keys TO vault_app;
GRANT UPDATE (kek_ref, wrapped, state, destroyed_at) ON vault.data_keys TO vault_app;
