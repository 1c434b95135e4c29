-- The money zone (engine.md 5). Runs as florin_owner; the roles exist (kit/migrate.ts).
-- payment_app is the service: not owner, no way past row-level security. payment_queue owns the few functions that look
-- across merchant accounts.
CREATE DOMAIN payment.id24 AS bytea CHECK (octet_length(VALUE) = 12);

-- the one clock; a sandbox may shift it for all at once, production never does (checked at start)
CREATE TABLE payment.clock (one boolean PRIMARY KEY DEFAULT true CHECK (one), shift interval NOT NULL DEFAULT '0');
INSERT INTO payment.clock DEFAULT VALUES;
CREATE FUNCTION payment.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT clock_timestamp() + shift FROM payment.clock $$;

CREATE TABLE payment.merchant_accounts (
  merchant_account_id payment.id24 PRIMARY KEY, name text NOT NULL, settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT payment.now());
CREATE TABLE payment.api_keys (          -- only the hash of a key is kept
  id payment.id24 PRIMARY KEY, merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32), kind text NOT NULL CHECK (kind IN ('public','private')),
  environment text NOT NULL CHECK (environment IN ('sandbox','production')), label text NOT NULL, created_at timestamptz NOT NULL DEFAULT payment.now(),
  revoked_at timestamptz);
CREATE INDEX api_keys_by_account ON payment.api_keys (merchant_account_id);
CREATE TABLE payment.contracts (         -- an account at a provider, and what it may be used for (empty list: anything)
  id payment.id24 PRIMARY KEY, merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts, name text NOT NULL, provider text NOT NULL,
  priority smallint NOT NULL DEFAULT 1, enabled boolean NOT NULL DEFAULT true, methods text[] NOT NULL DEFAULT '{}', currencies text[] NOT NULL DEFAULT '{}',
  channels text[] NOT NULL DEFAULT '{}', countries text[] NOT NULL DEFAULT '{}', operations text[] NOT NULL DEFAULT '{}', token_types text[] NOT NULL DEFAULT '{}',
  UNIQUE (merchant_account_id, name));

CREATE TABLE payment.checkouts (         -- processing, completed and declined are derived from its orders
  id payment.id24 PRIMARY KEY, merchant_account_id payment.id24 NOT NULL, amount_minor bigint NOT NULL CHECK (amount_minor > 0), currency char(3) NOT NULL,
  status text NOT NULL DEFAULT 'created' CHECK (status IN ('created','cancelled','expired')), created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
  body json NOT NULL, page_handle bytea CHECK (octet_length(page_handle) = 32),
  attempts smallint NOT NULL DEFAULT 0, max_attempts smallint NOT NULL DEFAULT 3 CHECK (max_attempts BETWEEN 1 AND 10)) WITH (fillfactor = 55);

-- Orders, transactions and operations are only ever written by a statement that has just written or locked the row they
-- belong to, and are read through it: the keys of the lower ones begin with the order, and no foreign key locks a row a
-- second time (docs/decisions/0009).
CREATE TABLE payment.orders (
  id payment.id24 NOT NULL, merchant_account_id payment.id24 NOT NULL, checkout_id payment.id24, order_merchant_id text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0), currency char(3) NOT NULL, body json NOT NULL, fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 16),
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  status text NOT NULL, live boolean NOT NULL, version int NOT NULL DEFAULT 1, next_seq int NOT NULL DEFAULT 1, winner_id payment.id24,   -- the transaction that holds the money
  attempts smallint NOT NULL DEFAULT 1, max_attempts smallint NOT NULL,
  authorized_minor bigint NOT NULL DEFAULT 0, released_minor bigint NOT NULL DEFAULT 0, capturing_minor bigint NOT NULL DEFAULT 0, captured_minor bigint NOT NULL DEFAULT 0,
  refunding_minor bigint NOT NULL DEFAULT 0, refunded_minor bigint NOT NULL DEFAULT 0, cancel_pending boolean NOT NULL DEFAULT false,
  CHECK (status IN ('created','risk_assessment_requested','risk_assessment_approved','risk_assessment_declined','authentication_requested','authentication_successful',
    'authentication_declined','authorization_requested','authorization_successful','authorization_declined','authorization_cancelled','authorization_expired','authorization_cancel_requested',
    'authorization_cancel_declined','capture_requested','capture_successful','capture_declined','refund_requested','refund_successful','refund_declined')),
  CHECK (live = (status NOT IN ('risk_assessment_declined','authentication_declined','authorization_declined','authorization_cancelled','authorization_expired'))),
  CHECK (authorized_minor BETWEEN 0 AND amount_minor), CHECK (NOT cancel_pending OR capturing_minor = 0),
  CHECK (capturing_minor >= 0 AND captured_minor >= 0 AND released_minor >= 0 AND capturing_minor + captured_minor + released_minor <= authorized_minor),
  CHECK (refunding_minor >= 0 AND refunded_minor >= 0 AND refunding_minor + refunded_minor <= captured_minor),
  PRIMARY KEY (merchant_account_id, id)) WITH (fillfactor = 55);
CREATE UNIQUE INDEX one_live_order ON payment.orders (checkout_id) WHERE live;      -- on live, not on status: updates stay HOT
CREATE INDEX orders_by_checkout ON payment.orders (checkout_id, id) WHERE checkout_id IS NOT NULL AND NOT live;
CREATE INDEX orders_by_reference ON payment.orders (merchant_account_id, order_merchant_id);

CREATE TABLE payment.transactions (      -- one attempt with one provider
  id payment.id24 NOT NULL, order_id payment.id24 NOT NULL, merchant_account_id payment.id24 NOT NULL,
  attempt smallint NOT NULL DEFAULT 1, cascade_of payment.id24, provider text NOT NULL, contract_id payment.id24,
  token_hash bytea CHECK (octet_length(token_hash) = 32), token_type text CHECK (token_type IN ('oneshot','recurring')), payment_method_name text NOT NULL,
  card_unique_id uuid, first6 char(6), last4 char(4), exp_month smallint, exp_year smallint, risk_score smallint, dead boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL, PRIMARY KEY (order_id, attempt)) WITH (fillfactor = 90);
CREATE UNIQUE INDEX one_live_attempt ON payment.transactions (order_id) WHERE NOT dead;
CREATE UNIQUE INDEX one_shot_once ON payment.transactions (merchant_account_id, token_hash) WHERE token_type = 'oneshot' AND cascade_of IS NULL;

CREATE TABLE payment.operations (        -- the row is also the queue entry: state and queue cannot disagree
  id payment.id24 NOT NULL, order_id payment.id24 NOT NULL, merchant_account_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL, provider text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('authorize','capture','refund','cancel','reversal')),
  target_id payment.id24,     -- refund: its capture; reversal, capture of a direct capture: the authorize
  origin text NOT NULL DEFAULT 'merchant' CHECK (origin IN ('merchant','recovery','provider','schedule','operator')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0), currency char(3) NOT NULL, with_capture boolean NOT NULL DEFAULT false,
  order_merchant_id text, operation_merchant_id text, request_id payment.id24, created_at timestamptz NOT NULL, sent_at timestamptz, settled_at timestamptz,      -- sent_at: sent again
  final boolean, refund_reason text,      -- a last capture releases the rest
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested','in_doubt','reversing','review','successful','declined','not_sent')),
  waits_for text NOT NULL DEFAULT 'call' CHECK (waits_for IN ('call','payer','provider')), provider_ref text, code text, reason text,
  authorization_code text, provider_code text, provider_text text,
  tries int NOT NULL DEFAULT 1, due_at timestamptz NOT NULL,          -- lease and schedule in one: when anybody may take it
  CHECK (kind = 'authorize' OR NOT with_capture AND state <> 'reversing'), CHECK (kind <> 'reversal' OR target_id IS NOT NULL),
  CHECK ((kind = 'authorize') = (id = transaction_id)),     -- one authorization per attempt: it has the attempt's id, and the key allows it once
  PRIMARY KEY (order_id, id)) WITH (fillfactor = 55);
CREATE UNIQUE INDEX one_at_provider ON payment.operations (merchant_account_id, order_merchant_id) WHERE origin = 'merchant' AND (kind = 'authorize' OR kind = 'capture' AND target_id IS NOT NULL)
  AND state IN ('requested','in_doubt','reversing','review') AND waits_for <> 'payer';      -- the contract's guard for a repeated order_merchant_id
CREATE UNIQUE INDEX one_open_reversal ON payment.operations (order_id, target_id) WHERE kind = 'reversal' AND state IN ('requested','in_doubt','review');
CREATE UNIQUE INDEX own_reference_once ON payment.operations (order_id, kind, operation_merchant_id) WHERE operation_merchant_id IS NOT NULL;
CREATE INDEX operations_due ON payment.operations (due_at) WHERE state IN ('requested','in_doubt','review');       -- the whole queue

CREATE TABLE payment.observations (      -- append-only evidence: everything that was seen, also when it changed nothing
  id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL DEFAULT payment.now(),
  merchant_account_id payment.id24 NOT NULL, transaction_id payment.id24 NOT NULL, operation_id payment.id24,
  source text NOT NULL CHECK (source IN ('call','answer','webhook','inquiry','vault','file','operator','timer')),
  outcome text NOT NULL CHECK (outcome IN ('sent','approved','declined','pending','payer_must_act','not_found','reversed','not_sent','corrected','unknown')),
  amount_minor bigint, currency char(3), provider_ref text, provider_code text, http_status smallint, detail json);
CREATE INDEX observations_by_transaction ON payment.observations USING brin (transaction_id);      -- ids follow time, so a range of pages is enough
CREATE TABLE payment.idempotency_keys (
  merchant_account_id payment.id24 NOT NULL, route text NOT NULL, key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255), object_id payment.id24 NOT NULL,
  fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32), created_at timestamptz NOT NULL DEFAULT payment.now(), PRIMARY KEY (merchant_account_id, route, key));
CREATE INDEX idempotency_keys_age ON payment.idempotency_keys USING brin (created_at);
-- double entry by shape: a row moves one amount from one account to another, so no posting can fail to sum to zero
-- (docs/decisions/0005). The key forbids booking twice. Source: the operation.
CREATE TABLE payment.ledger_entries (
  source_id payment.id24 NOT NULL, posting text NOT NULL CHECK (posting IN ('book','unbook')), line smallint NOT NULL CHECK (line BETWEEN 1 AND 8),
  merchant_account_id payment.id24 NOT NULL, order_id payment.id24, provider text NOT NULL, at timestamptz NOT NULL DEFAULT payment.now(),
  debit text NOT NULL CHECK (debit IN ('authorized_hold','authorized_contra','provider_receivable','merchant_payable','refunds','chargebacks','fees','payouts')),
  credit text NOT NULL CHECK (credit IN ('authorized_hold','authorized_contra','provider_receivable','merchant_payable','refunds','chargebacks','fees','payouts')),
  currency char(3) NOT NULL, amount_minor bigint NOT NULL CHECK (amount_minor > 0), PRIMARY KEY (source_id, posting, line), CHECK (debit <> credit));
CREATE TABLE payment.events (            -- outbox and status history; gapless seq per subject; payload NULL if nobody wants it
  subject_id payment.id24 NOT NULL, seq int NOT NULL, merchant_account_id payment.id24 NOT NULL, type text NOT NULL, code text, request_id payment.id24,
  order_version int, payload json, at timestamptz NOT NULL DEFAULT payment.now(), PRIMARY KEY (subject_id, seq));

-- second line of defence
CREATE FUNCTION payment.refuse() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION '% refused on %.%', TG_ARGV[0], TG_TABLE_SCHEMA, TG_TABLE_NAME USING ERRCODE = '23514'; END $$;
CREATE FUNCTION payment.step_ok(kind text, was text, becomes text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT was = becomes OR CASE
    WHEN was IN ('requested','in_doubt','review') AND becomes = 'reversing' THEN kind = 'authorize'
    WHEN was = 'requested'              THEN becomes IN ('successful','declined','not_sent','review','in_doubt')
    WHEN was IN ('in_doubt','review')   THEN becomes IN ('successful','declined','not_sent','review')
    WHEN was = 'reversing'              THEN becomes IN ('declined','review')
    ELSE was = 'successful' AND becomes = 'declined' AND kind IN ('capture','refund') END $$;      -- provider correction, engine.md 8.3
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.operations FOR EACH ROW
  WHEN (NOT payment.step_ok(OLD.kind, OLD.state, NEW.state)) EXECUTE FUNCTION payment.refuse('state change');
CREATE TRIGGER one_step BEFORE UPDATE ON payment.orders FOR EACH ROW WHEN (NEW.version <> OLD.version + 1) EXECUTE FUNCTION payment.refuse('version change');
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.observations FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');

-- tenants: a statement sees the rows of the merchant account it named, whatever its WHERE says
CREATE FUNCTION payment.tenant() RETURNS bytea LANGUAGE sql STABLE AS $$ SELECT decode(nullif(current_setting('app.merchant_account_id', true), ''), 'hex') $$;
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY string_to_array('merchant_accounts api_keys contracts checkouts orders transactions operations observations idempotency_keys ledger_entries events', ' ') LOOP
    EXECUTE format('ALTER TABLE payment.%1$I ENABLE ROW LEVEL SECURITY; ALTER TABLE payment.%1$I FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON payment.%1$I TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
      CREATE POLICY queue ON payment.%1$I TO payment_queue USING (true) WITH CHECK (true); GRANT SELECT, INSERT ON payment.%1$I TO payment_app', t);
  END LOOP; END $$;
GRANT USAGE ON SCHEMA payment TO payment_app, payment_queue;
GRANT SELECT ON payment.clock TO payment_app, payment_queue;
GRANT UPDATE (name, settings) ON payment.merchant_accounts TO payment_app;
GRANT UPDATE (revoked_at) ON payment.api_keys TO payment_app;
GRANT UPDATE (priority, enabled, methods, currencies, channels, countries, operations, token_types) ON payment.contracts TO payment_app;
GRANT UPDATE (status, live, version, next_seq, updated_at, winner_id, authorized_minor, released_minor, capturing_minor, captured_minor, refunding_minor, refunded_minor,
  cancel_pending, body, fingerprint, attempts, max_attempts) ON payment.orders TO payment_app;   -- never amount_minor, currency, merchant_account_id
GRANT UPDATE (status, attempts) ON payment.checkouts TO payment_app;
GRANT UPDATE (risk_score, dead) ON payment.transactions TO payment_app;
GRANT UPDATE (state, waits_for, provider_ref, code, reason, authorization_code, provider_code, provider_text, sent_at, settled_at, tries, due_at) ON payment.operations TO payment_app;
GRANT DELETE ON payment.idempotency_keys TO payment_app;
GRANT INSERT ON payment.observations TO payment_queue;
GRANT SELECT, UPDATE ON payment.operations TO payment_queue;
GRANT SELECT ON payment.merchant_accounts, payment.api_keys, payment.contracts TO payment_queue;

-- the ways past the tenant policies: who a key belongs to, and the queue
CREATE FUNCTION payment.account_of_key(presented bytea) RETURNS TABLE (merchant_account_id bytea, name text, settings jsonb, kind text, environment text, contracts json)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT a.merchant_account_id, a.name, a.settings, k.kind, k.environment,
    (SELECT coalesce(json_agg(json_build_object('id', encode(c.id, 'hex'), 'name', c.name, 'provider', c.provider, 'methods', c.methods, 'currencies', c.currencies,
       'channels', c.channels, 'countries', c.countries, 'operations', c.operations, 'token_types', c.token_types) ORDER BY c.priority, c.id), '[]')
     FROM contracts c WHERE c.merchant_account_id = a.merchant_account_id AND c.enabled)
  FROM api_keys k JOIN merchant_accounts a USING (merchant_account_id) WHERE k.digest = presented AND k.revoked_at IS NULL $$;
CREATE FUNCTION payment.claim_operations(room int, lease interval) RETURNS SETOF payment.operations LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH due AS MATERIALIZED (
    SELECT o.order_id, o.id FROM operations o
    WHERE o.state IN ('requested','in_doubt','review') AND o.due_at <= (SELECT payment.now()) ORDER BY o.due_at LIMIT room FOR UPDATE OF o SKIP LOCKED),
  taken AS (UPDATE operations o SET tries = tries + 1, due_at = payment.now() + lease FROM due WHERE o.order_id = due.order_id AND o.id = due.id RETURNING o.*)
  SELECT * FROM taken $$;
