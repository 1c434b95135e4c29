-- Written by npm run schema; it is not edited.

CREATE DOMAIN vault.id24 AS bytea
  CONSTRAINT id24_is_12_bytes CHECK (octet_length(VALUE) = 12);

\ir functions/analyze_grown.sql
\ir functions/chain.sql
\ir functions/drop_cvc_slot.sql
\ir functions/never_back.sql
\ir functions/now.sql
\ir functions/refuse.sql

CREATE TABLE vault.api_keys (
  id text NOT NULL,
  digest bytea NOT NULL,
  merchant_account_id vault.id24 NOT NULL,
  kind text NOT NULL,
  environment text NOT NULL,
  page_inputs boolean NOT NULL DEFAULT false,
  registered_origins text[] NOT NULL DEFAULT '{}'::text[],
  scopes text[],
  CONSTRAINT api_keys_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  CONSTRAINT api_keys_digest_key UNIQUE (digest),
  CONSTRAINT api_keys_kind_is_known CHECK (kind = ANY (ARRAY['public'::text, 'private'::text])),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX api_keys_by_merchant ON vault.api_keys USING btree (merchant_account_id);
GRANT DELETE, INSERT, SELECT, UPDATE (merchant_account_id, kind, page_inputs, registered_origins, scopes) ON vault.api_keys TO vault_app;

CREATE TABLE vault.audit (
  id bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  object text NOT NULL,
  result text NOT NULL,
  source text NOT NULL,
  detail jsonb NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_hash_is_32_bytes CHECK (octet_length(hash) = 32),
  CONSTRAINT audit_pkey PRIMARY KEY (id)
);
CREATE TRIGGER chain BEFORE INSERT ON vault.audit FOR EACH ROW EXECUTE FUNCTION vault.chain();
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON vault.audit FOR EACH STATEMENT EXECUTE FUNCTION vault.refuse();
GRANT INSERT, SELECT ON vault.audit TO vault_app;

CREATE TABLE vault.cards (
  token_hash bytea NOT NULL,
  merchant_account_id vault.id24 NOT NULL,
  environment text NOT NULL,
  kind text NOT NULL,
  checkout_id vault.id24,
  card_unique_id uuid,
  sealed bytea NOT NULL,
  data_key_id bigint NOT NULL,
  scheme text NOT NULL,
  schemes text,
  first6 character(6),
  last4 character(4),
  exp_month smallint,
  exp_year smallint,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  delete_after timestamp with time zone,
  spent_order_id vault.id24,
  spent_at timestamp with time zone,
  partner text,
  subscription_id vault.id24,
  cvc_entered_at timestamp with time zone,
  token_kind text,
  is_network_token boolean NOT NULL DEFAULT false,
  approved_minor bigint,
  approved_currency text,
  CONSTRAINT card_or_partner CHECK (
CASE
    WHEN partner IS NULL THEN num_nulls(card_unique_id, first6, last4, exp_month, exp_year) = 0 AND subscription_id IS NULL
    ELSE kind = 'recurring'::text AND subscription_id IS NOT NULL
END),
  CONSTRAINT cards_approved_whole CHECK (num_nulls(approved_minor, approved_currency) <> 1),
  CONSTRAINT cards_environment_is_known CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  CONSTRAINT cards_exp_month_is_in_range CHECK (exp_month >= 1 AND exp_month <= 12),
  CONSTRAINT cards_kind_is_known CHECK (kind = ANY (ARRAY['oneshot'::text, 'recurring'::text])),
  CONSTRAINT cards_oneshot_ends CHECK (kind = 'recurring'::text OR expires_at IS NOT NULL AND delete_after IS NOT NULL),
  CONSTRAINT cards_only_wallets_pay_once CHECK (token_kind IS NULL OR kind = 'oneshot'::text),
  CONSTRAINT cards_pkey PRIMARY KEY (token_hash),
  CONSTRAINT cards_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32),
  CONSTRAINT cards_token_kind_is_known CHECK (token_kind = ANY (ARRAY['google_pay'::text, 'apple_pay'::text, 'network_token'::text]))
) WITH (fillfactor=55);
ALTER TABLE vault.cards ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX cards_by_checkout ON vault.cards USING btree (checkout_id) WHERE checkout_id IS NOT NULL;
CREATE INDEX cards_by_key ON vault.cards USING btree (data_key_id);
CREATE INDEX cards_to_delete ON vault.cards USING btree (delete_after) WHERE delete_after IS NOT NULL;
CREATE INDEX recurring_by_card ON vault.cards USING btree (merchant_account_id, card_unique_id) WHERE kind = 'recurring'::text;
GRANT DELETE, INSERT, SELECT, UPDATE (sealed, data_key_id, delete_after, spent_order_id, spent_at, cvc_entered_at) ON vault.cards TO vault_app;

CREATE TABLE vault.clock (
  one boolean NOT NULL DEFAULT true,
  shift interval NOT NULL DEFAULT '00:00:00'::interval,
  CONSTRAINT clock_one_row CHECK (one),
  CONSTRAINT clock_pkey PRIMARY KEY (one)
);
CREATE TRIGGER never_back BEFORE UPDATE ON vault.clock FOR EACH ROW WHEN (new.shift < old.shift) EXECUTE FUNCTION vault.never_back();
GRANT SELECT, UPDATE (shift) ON vault.clock TO vault_app;

CREATE TABLE vault.contracts (
  id vault.id24 NOT NULL,
  merchant_account_id vault.id24 NOT NULL,
  destination text NOT NULL,
  credentials_sealed bytea NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT vault.now(),
  CONSTRAINT contracts_pkey PRIMARY KEY (id)
);
CREATE INDEX credentials_by_key ON vault.contracts USING btree (SUBSTRING(credentials_sealed FROM 2 FOR 8));
GRANT INSERT, SELECT, UPDATE (credentials_sealed, changed_at) ON vault.contracts TO vault_app;

CREATE TABLE vault.cvc_keys (
  slot integer NOT NULL,
  generation integer NOT NULL,
  kek_ref text NOT NULL,
  wrapped bytea NOT NULL,
  CONSTRAINT cvc_keys_pkey PRIMARY KEY (slot, generation)
) PARTITION BY LIST (slot);
GRANT DELETE, INSERT, SELECT, UPDATE (kek_ref, wrapped) ON vault.cvc_keys TO vault_app;

CREATE TABLE vault.cvcs (
  slot integer NOT NULL,
  token_hash bytea NOT NULL,
  checkout_id vault.id24 NOT NULL,
  generation integer NOT NULL,
  sealed bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT cvcs_pkey PRIMARY KEY (slot, token_hash, checkout_id),
  CONSTRAINT cvcs_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32)
) PARTITION BY LIST (slot);
GRANT DELETE, INSERT, SELECT, UPDATE (generation, sealed, expires_at) ON vault.cvcs TO vault_app;

CREATE TABLE vault.data_keys (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  purpose text NOT NULL,
  merchant_account_id vault.id24,
  version integer NOT NULL,
  kek_ref text NOT NULL,
  wrapped bytea,
  state text NOT NULL DEFAULT 'active'::text,
  created_at timestamp with time zone NOT NULL DEFAULT vault.now(),
  destroyed_at timestamp with time zone,
  CONSTRAINT data_keys_destroyed_has_no_key CHECK ((state = 'destroyed'::text) = (wrapped IS NULL)),
  CONSTRAINT data_keys_only_card_keys_have_merchant CHECK ((purpose = 'card'::text) = (merchant_account_id IS NOT NULL)),
  CONSTRAINT data_keys_pkey PRIMARY KEY (id),
  CONSTRAINT data_keys_purpose_is_known CHECK (purpose = ANY (ARRAY['card'::text, 'fingerprint'::text, 'secret'::text])),
  CONSTRAINT data_keys_state_is_known CHECK (state = ANY (ARRAY['announced'::text, 'active'::text, 'retired'::text, 'closed'::text, 'destroyed'::text]))
);
CREATE INDEX data_keys_by_kek ON vault.data_keys USING btree (kek_ref, id) WHERE state <> 'destroyed'::text;
CREATE INDEX data_keys_by_state ON vault.data_keys USING btree (purpose, state, id);
CREATE UNIQUE INDEX one_active ON vault.data_keys USING btree (purpose, COALESCE(merchant_account_id::bytea, '\x000000000000000000000000'::bytea)) WHERE state = 'active'::text;
CREATE UNIQUE INDEX one_version ON vault.data_keys USING btree (purpose, COALESCE(merchant_account_id::bytea, '\x000000000000000000000000'::bytea), version);
GRANT INSERT, SELECT, UPDATE (kek_ref, wrapped, state, destroyed_at) ON vault.data_keys TO vault_app;

CREATE TABLE vault.epochs (
  number integer NOT NULL,
  mark bytea NOT NULL,
  timeline bigint NOT NULL,
  system_identifier bigint NOT NULL,
  is_accepted boolean NOT NULL DEFAULT false,
  begun_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT epochs_mark UNIQUE (mark),
  CONSTRAINT epochs_mark_is_12_bytes CHECK (octet_length(mark) = 12),
  CONSTRAINT epochs_pkey PRIMARY KEY (number)
);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON vault.epochs FOR EACH STATEMENT EXECUTE FUNCTION vault.refuse();
GRANT INSERT, SELECT ON vault.epochs TO vault_app;

CREATE TABLE vault.exports (
  id vault.id24 NOT NULL,
  merchant_account_id vault.id24 NOT NULL,
  receiver_key text NOT NULL,
  receiver_fingerprint text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamp with time zone NOT NULL DEFAULT vault.now(),
  approved_by text,
  approved_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  expected integer NOT NULL,
  cards integer NOT NULL DEFAULT 0,
  out_offset bigint NOT NULL DEFAULT 0,
  cursor bytea NOT NULL DEFAULT '\x'::bytea,
  file_hash bytea,
  CONSTRAINT exports_approved_by_and_at CHECK ((approved_by IS NULL) = (approved_at IS NULL)),
  CONSTRAINT exports_approved_by_another CHECK (approved_by <> requested_by),
  CONSTRAINT exports_pkey PRIMARY KEY (id),
  CONSTRAINT exports_started_after_approval CHECK (started_at IS NULL OR approved_at IS NOT NULL)
);
GRANT INSERT, SELECT, UPDATE (approved_by, approved_at, started_at, finished_at, cards, out_offset, cursor, file_hash) ON vault.exports TO vault_app;

CREATE TABLE vault.fingerprints (
  merchant_account_id vault.id24 NOT NULL,
  key_id bigint NOT NULL,
  mac bytea NOT NULL,
  card_unique_id uuid NOT NULL,
  seen_at timestamp with time zone NOT NULL DEFAULT vault.now(),
  CONSTRAINT fingerprints_mac_is_32_bytes CHECK (octet_length(mac) = 32),
  CONSTRAINT fingerprints_pkey PRIMARY KEY (merchant_account_id, key_id, mac)
) WITH (fillfactor=55);
ALTER TABLE vault.fingerprints ALTER COLUMN merchant_account_id SET (n_distinct=1);
GRANT DELETE, INSERT, SELECT, UPDATE (seen_at) ON vault.fingerprints TO vault_app;

CREATE TABLE vault.forwards (
  operation_id vault.id24 NOT NULL,
  merchant_account_id vault.id24,
  order_id vault.id24,
  destination text,
  digest bytea,
  policy text NOT NULL,
  state text NOT NULL,
  sends integer NOT NULL DEFAULT 1,
  sent_at timestamp with time zone NOT NULL DEFAULT vault.now(),
  http_status smallint,
  answer_sealed bytea,
  CONSTRAINT forwards_digest_is_16_bytes CHECK (octet_length(digest) = 16),
  CONSTRAINT forwards_pkey PRIMARY KEY (operation_id),
  CONSTRAINT forwards_policy_is_known CHECK (policy = ANY (ARRAY['once'::text, 'repeat'::text, 'tombstone'::text])),
  CONSTRAINT forwards_state_is_known CHECK (state = ANY (ARRAY['sending'::text, 'answered'::text, 'not_sent'::text, 'tombstone'::text])),
  CONSTRAINT forwards_tombstone_is_policy_and_state CHECK ((policy = 'tombstone'::text) = (state = 'tombstone'::text))
) WITH (fillfactor=70);
ALTER TABLE vault.forwards ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX answers_by_key ON vault.forwards USING btree (SUBSTRING(answer_sealed FROM 2 FOR 8)) WHERE answer_sealed IS NOT NULL;
GRANT INSERT, SELECT, UPDATE (state, sends, sent_at, http_status, answer_sealed) ON vault.forwards TO vault_app;

CREATE TABLE vault.idempotency_keys (
  merchant_account_id vault.id24 NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  token_hash bytea NOT NULL,
  token_sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT vault.now(),
  CONSTRAINT idempotency_keys_fingerprint_is_32_bytes CHECK (octet_length(fingerprint) = 32),
  CONSTRAINT idempotency_keys_key_has_a_length CHECK (length(key) >= 1 AND length(key) <= 255),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (merchant_account_id, key)
);
ALTER TABLE vault.idempotency_keys ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX idempotency_keys_age ON vault.idempotency_keys USING btree (created_at);
CREATE INDEX tokens_by_key ON vault.idempotency_keys USING btree (SUBSTRING(token_sealed FROM 2 FOR 8));
GRANT DELETE, INSERT, SELECT, UPDATE (token_sealed) ON vault.idempotency_keys TO vault_app;

CREATE TABLE vault.imports (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  merchant_account_id vault.id24 NOT NULL,
  input_mac bytea NOT NULL,
  actor text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT vault.now(),
  finished_at timestamp with time zone,
  line integer NOT NULL DEFAULT 0,
  in_offset bigint NOT NULL DEFAULT 0,
  out_offset bigint NOT NULL DEFAULT 0,
  cards integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  CONSTRAINT imports_input_mac_is_32_bytes CHECK (octet_length(input_mac) = 32),
  CONSTRAINT imports_pkey PRIMARY KEY (id)
);
CREATE INDEX imports_by_input ON vault.imports USING btree (merchant_account_id, input_mac);
GRANT INSERT, SELECT, UPDATE (finished_at, line, in_offset, out_offset, cards, refused) ON vault.imports TO vault_app;

CREATE TABLE vault.key_epoch (
  one boolean NOT NULL DEFAULT true,
  epoch bigint NOT NULL DEFAULT 0,
  kek_ref text,
  CONSTRAINT key_epoch_one_row CHECK (one),
  CONSTRAINT key_epoch_pkey PRIMARY KEY (one)
);
GRANT SELECT, UPDATE (epoch, kek_ref) ON vault.key_epoch TO vault_app;

CREATE TABLE vault.operators (
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  added_by text NOT NULL,
  added_at timestamp with time zone NOT NULL DEFAULT vault.now(),
  CONSTRAINT operators_name_is_plain CHECK (name ~ '^[a-z][a-z0-9._-]{1,39}$'::text),
  CONSTRAINT operators_pkey PRIMARY KEY (name),
  CONSTRAINT operators_secret_hash_is_32_bytes CHECK (octet_length(secret_hash) = 32)
);
GRANT INSERT, SELECT ON vault.operators TO vault_app;

CREATE TABLE vault.partners (
  merchant_account_id vault.id24 NOT NULL,
  name text NOT NULL,
  CONSTRAINT partners_name_has_a_length CHECK (length(name) >= 1 AND length(name) <= 64),
  CONSTRAINT partners_pkey PRIMARY KEY (merchant_account_id, name)
);
GRANT DELETE, INSERT, SELECT ON vault.partners TO vault_app;

CREATE TABLE vault.rotations (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  actor text NOT NULL,
  from_ref text NOT NULL,
  from_id bigint NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT vault.now(),
  finished_at timestamp with time zone,
  cursor bytea NOT NULL DEFAULT '\x'::bytea,
  CONSTRAINT rotations_kind_is_known CHECK (kind = ANY (ARRAY['kek'::text, 'data'::text, 'fingerprint'::text])),
  CONSTRAINT rotations_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX one_rotation ON vault.rotations USING btree (kind) WHERE finished_at IS NULL;
GRANT INSERT, SELECT, UPDATE (finished_at, cursor) ON vault.rotations TO vault_app;

CREATE TABLE vault.wallet_payloads (
  merchant_account_id vault.id24 NOT NULL,
  digest bytea NOT NULL,
  delete_after timestamp with time zone NOT NULL,
  CONSTRAINT wallet_payloads_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  CONSTRAINT wallet_payloads_pkey PRIMARY KEY (merchant_account_id, digest)
);
CREATE INDEX wallet_payloads_to_delete ON vault.wallet_payloads USING btree (delete_after);
GRANT DELETE, INSERT, SELECT ON vault.wallet_payloads TO vault_app;

CREATE UNLOGGED TABLE vault.counts (
  name bytea NOT NULL,
  process vault.id24 NOT NULL,
  counted integer NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT counts_name_is_16_bytes CHECK (octet_length(name) = 16),
  CONSTRAINT counts_pkey PRIMARY KEY (name, process)
);
CREATE INDEX counts_until ON vault.counts USING btree (until);
GRANT DELETE, INSERT, SELECT, UPDATE ON vault.counts TO vault_app;

CREATE UNLOGGED TABLE vault.processes (
  id vault.id24 NOT NULL,
  beat_at timestamp with time zone NOT NULL,
  CONSTRAINT processes_pkey PRIMARY KEY (id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON vault.processes TO vault_app;

CREATE UNLOGGED TABLE vault.cvc_keys_0 PARTITION OF vault.cvc_keys FOR VALUES IN (0);
GRANT TRUNCATE ON vault.cvc_keys_0 TO vault_app;

CREATE UNLOGGED TABLE vault.cvc_keys_1 PARTITION OF vault.cvc_keys FOR VALUES IN (1);
GRANT TRUNCATE ON vault.cvc_keys_1 TO vault_app;

CREATE UNLOGGED TABLE vault.cvc_keys_2 PARTITION OF vault.cvc_keys FOR VALUES IN (2);
GRANT TRUNCATE ON vault.cvc_keys_2 TO vault_app;

CREATE UNLOGGED TABLE vault.cvc_keys_3 PARTITION OF vault.cvc_keys FOR VALUES IN (3);
GRANT TRUNCATE ON vault.cvc_keys_3 TO vault_app;

CREATE UNLOGGED TABLE vault.cvc_keys_4 PARTITION OF vault.cvc_keys FOR VALUES IN (4);
GRANT TRUNCATE ON vault.cvc_keys_4 TO vault_app;

CREATE UNLOGGED TABLE vault.cvc_keys_5 PARTITION OF vault.cvc_keys FOR VALUES IN (5);
GRANT TRUNCATE ON vault.cvc_keys_5 TO vault_app;

CREATE UNLOGGED TABLE vault.cvc_keys_6 PARTITION OF vault.cvc_keys FOR VALUES IN (6);
GRANT TRUNCATE ON vault.cvc_keys_6 TO vault_app;

CREATE UNLOGGED TABLE vault.cvc_keys_7 PARTITION OF vault.cvc_keys FOR VALUES IN (7);
GRANT TRUNCATE ON vault.cvc_keys_7 TO vault_app;

CREATE UNLOGGED TABLE vault.cvcs_0 PARTITION OF vault.cvcs FOR VALUES IN (0);
GRANT TRUNCATE ON vault.cvcs_0 TO vault_app;

CREATE UNLOGGED TABLE vault.cvcs_1 PARTITION OF vault.cvcs FOR VALUES IN (1);
GRANT TRUNCATE ON vault.cvcs_1 TO vault_app;

CREATE UNLOGGED TABLE vault.cvcs_2 PARTITION OF vault.cvcs FOR VALUES IN (2);
GRANT TRUNCATE ON vault.cvcs_2 TO vault_app;

CREATE UNLOGGED TABLE vault.cvcs_3 PARTITION OF vault.cvcs FOR VALUES IN (3);
GRANT TRUNCATE ON vault.cvcs_3 TO vault_app;

CREATE UNLOGGED TABLE vault.cvcs_4 PARTITION OF vault.cvcs FOR VALUES IN (4);
GRANT TRUNCATE ON vault.cvcs_4 TO vault_app;

CREATE UNLOGGED TABLE vault.cvcs_5 PARTITION OF vault.cvcs FOR VALUES IN (5);
GRANT TRUNCATE ON vault.cvcs_5 TO vault_app;

CREATE UNLOGGED TABLE vault.cvcs_6 PARTITION OF vault.cvcs FOR VALUES IN (6);
GRANT TRUNCATE ON vault.cvcs_6 TO vault_app;

CREATE UNLOGGED TABLE vault.cvcs_7 PARTITION OF vault.cvcs FOR VALUES IN (7);
GRANT TRUNCATE ON vault.cvcs_7 TO vault_app;

ALTER TABLE vault.exports
  ADD CONSTRAINT exports_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES vault.operators(name);
ALTER TABLE vault.exports
  ADD CONSTRAINT exports_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES vault.operators(name);

GRANT USAGE ON SCHEMA vault TO vault_app;
