-- The card zone (vault.md 5). Runs as florin_owner; the roles exist (kit/migrate.ts). No role of the money zone has any right here.
CREATE DOMAIN vault.id24 AS bytea CHECK (octet_length(VALUE) = 12);
CREATE TABLE vault.clock (one boolean PRIMARY KEY DEFAULT true CHECK (one), shift interval NOT NULL DEFAULT '0');
INSERT INTO vault.clock DEFAULT VALUES;
CREATE FUNCTION vault.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT clock_timestamp() + shift FROM vault.clock $$;

CREATE TABLE vault.data_keys (           -- wrapped by the key-encryption key, which is never in the database
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, purpose text NOT NULL CHECK (purpose IN ('card','fingerprint','secret')),
  merchant_account_id vault.id24, version int NOT NULL, kek_ref text NOT NULL, wrapped bytea,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active','retired','destroyed')), created_at timestamptz NOT NULL DEFAULT vault.now(),
  CHECK ((purpose = 'card') = (merchant_account_id IS NOT NULL)), CHECK ((state = 'destroyed') = (wrapped IS NULL)));
CREATE UNIQUE INDEX one_version ON vault.data_keys (purpose, coalesce(merchant_account_id, '\x000000000000000000000000'), version);
CREATE UNIQUE INDEX one_active ON vault.data_keys (purpose, coalesce(merchant_account_id, '\x000000000000000000000000')) WHERE state = 'active';
CREATE TABLE vault.fingerprints (        -- keyed per merchant: two merchants cannot link a cardholder
  merchant_account_id vault.id24 NOT NULL, key_id bigint NOT NULL, mac bytea NOT NULL CHECK (octet_length(mac) = 32),
  card_unique_id uuid NOT NULL, seen_at timestamptz NOT NULL DEFAULT vault.now(), PRIMARY KEY (merchant_account_id, key_id, mac)) WITH (fillfactor = 55);
CREATE TABLE vault.cards (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32), merchant_account_id vault.id24 NOT NULL,
  environment text NOT NULL CHECK (environment IN ('sandbox','production')), kind text NOT NULL CHECK (kind IN ('oneshot','recurring')),
  checkout_id vault.id24, card_unique_id uuid NOT NULL, sealed bytea NOT NULL, data_key_id bigint NOT NULL,
  scheme text NOT NULL, schemes text,       -- schemes: all brands of a co-badged card, by commas
  first6 char(6) NOT NULL, last4 char(4) NOT NULL, exp_month smallint NOT NULL CHECK (exp_month BETWEEN 1 AND 12),
  exp_year smallint NOT NULL, created_at timestamptz NOT NULL, expires_at timestamptz, delete_after timestamptz,
  spent_order_id vault.id24, spent_at timestamptz,
  CHECK (kind = 'recurring' OR expires_at IS NOT NULL AND delete_after IS NOT NULL)) WITH (fillfactor = 55);
CREATE INDEX cards_to_delete ON vault.cards USING brin (delete_after);
CREATE INDEX cards_by_checkout ON vault.cards (checkout_id) WHERE checkout_id IS NOT NULL;
CREATE TABLE vault.forwards (            -- committed before a byte leaves: "did this authorization go out?" has an answer after any crash
  operation_id vault.id24 PRIMARY KEY, merchant_account_id vault.id24, order_id vault.id24, destination text, digest bytea CHECK (octet_length(digest) = 16),
  policy text NOT NULL CHECK (policy IN ('once','repeat','tombstone')),
  state text NOT NULL CHECK (state IN ('sending','answered','not_sent','tombstone')), sends int NOT NULL DEFAULT 1,
  sent_at timestamptz NOT NULL DEFAULT vault.now(), http_status smallint, answer_sealed bytea,
  CHECK ((policy = 'tombstone') = (state = 'tombstone'))) WITH (fillfactor = 70);
CREATE INDEX forwards_age ON vault.forwards USING brin (sent_at);
CREATE TABLE vault.idempotency_keys (   -- fingerprint: a keyed hash of the request without its cvc; the token is sealed, to be answered again
  merchant_account_id vault.id24 NOT NULL, key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255), fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  token_hash bytea NOT NULL, token_sealed bytea NOT NULL, created_at timestamptz NOT NULL DEFAULT vault.now(), PRIMARY KEY (merchant_account_id, key));
CREATE INDEX idempotency_keys_age ON vault.idempotency_keys USING brin (created_at);
CREATE TABLE vault.api_keys (            -- pushed by the money zone
  id text PRIMARY KEY, digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32), merchant_account_id vault.id24 NOT NULL,
  kind text NOT NULL CHECK (kind IN ('public','private')), environment text NOT NULL, page_inputs boolean NOT NULL DEFAULT false);

GRANT USAGE ON SCHEMA vault TO vault_app;
GRANT SELECT ON vault.clock TO vault_app;
GRANT SELECT, INSERT ON vault.data_keys, vault.fingerprints, vault.cards, vault.forwards, vault.api_keys, vault.idempotency_keys TO vault_app;
GRANT DELETE ON vault.idempotency_keys TO vault_app;
GRANT UPDATE (seen_at) ON vault.fingerprints TO vault_app;
GRANT UPDATE (spent_order_id, spent_at, delete_after), DELETE ON vault.cards TO vault_app;
GRANT UPDATE (state, sends, sent_at, http_status, answer_sealed) ON vault.forwards TO vault_app;
GRANT UPDATE (page_inputs, merchant_account_id, kind), DELETE ON vault.api_keys TO vault_app;
