-- Written by npm run schema; it is not edited.

CREATE DOMAIN payment.id24 AS bytea
  CONSTRAINT id24_is_12_bytes CHECK (octet_length(VALUE) = 12);
CREATE SEQUENCE payment.traces AS bigint;
GRANT USAGE ON SEQUENCE payment.traces TO payment_app;
CREATE TYPE payment.search_fact AS (
  merchant_account_id bytea,
  order_id bytea,
  status text,
  code text,
  currency text,
  provider text,
  payment_method_name text,
  operation_type text,
  is_suspicious boolean,
  digits smallint,
  last4 smallint,
  amount_minor bigint,
  customer bigint,
  email bigint,
  country text,
  tries text,
  outcome text
);

\ir functions/account_of_contract.sql
\ir functions/account_of_key.sql
\ir functions/account_of_link.sql
\ir functions/account_of_page.sql
\ir functions/accounts_after.sql
\ir functions/accounts_of_person.sql
\ir functions/accounts_with_people.sql
\ir functions/alarm_accounts.sql
\ir functions/analyze_grown.sql
\ir functions/assess_risk.sql
\ir functions/authentication_step_ok.sql
\ir functions/authorization_days.sql
\ir functions/beyond_counters.sql
\ir functions/bring_forward.sql
\ir functions/chain.sql
\ir functions/claim_authentications.sql
\ir functions/claim_contradictions.sql
\ir functions/claim_dispute_answers.sql
\ir functions/claim_dispute_reminders.sql
\ir functions/claim_erasure.sql
\ir functions/claim_events.sql
\ir functions/claim_mails.sql
\ir functions/claim_notifications.sql
\ir functions/claim_removals.sql
\ir functions/claim_report_run.sql
\ir functions/claim_retries.sql
\ir functions/contract_holds.sql
\ir functions/count_earlier.sql
\ir functions/due_reports.sql
\ir functions/end_waiting.sql
\ir functions/ended_keys.sql
\ir functions/expire_checkouts.sql
\ir functions/fan_out.sql
\ir functions/follow_orders.sql
\ir functions/forget_customer_told.sql
\ir functions/forget_declines.sql
\ir functions/forget_dispute_evidence.sql
\ir functions/forget_found.sql
\ir functions/forget_keys.sql
\ir functions/forget_mails.sql
\ir functions/forget_reports.sql
\ir functions/forget_sightings.sql
\ir functions/holder_of_key.sql
\ir functions/hour_of.sql
\ir functions/id_at.sql
\ir functions/id_moment.sql
\ir functions/invitation_of_link.sql
\ir functions/is_suspicious.sql
\ir functions/is_whose.sql
\ir functions/keep_months.sql
\ir functions/keep_request_log.sql
\ir functions/lapses_again.sql
\ir functions/lapsing.sql
\ir functions/learning_accounts.sql
\ir functions/ledger_after.sql
\ir functions/link_of_checkout.sql
\ir functions/lock_reference.sql
\ir functions/make_month.sql
\ir functions/make_part.sql
\ir functions/months_of.sql
\ir functions/most_data_declines.sql
\ir functions/never_back.sql
\ir functions/new_id.sql
\ir functions/next_authentication.sql
\ir functions/next_authorization.sql
\ir functions/next_checkout.sql
\ir functions/next_dispute_answer.sql
\ir functions/next_dispute_reminder.sql
\ir functions/next_erasure.sql
\ir functions/next_lapse.sql
\ir functions/next_message.sql
\ir functions/next_notification.sql
\ir functions/next_operation.sql
\ir functions/next_probe.sql
\ir functions/next_removal.sql
\ir functions/next_report.sql
\ir functions/next_retry.sql
\ir functions/now.sql
\ir functions/old_card_ids.sql
\ir functions/open_card_entries.sql
\ir functions/order_of_page.sql
\ir functions/outcome_of.sql
\ir functions/put_card_digests.sql
\ir functions/put_search_facts.sql
\ir functions/queue_figures.sql
\ir functions/refuse.sql
\ir functions/refuse_overtaken.sql
\ir functions/refuse_step.sql
\ir functions/risk_seen.sql
\ir functions/seal_card_entries.sql
\ir functions/sealed_samples.sql
\ir functions/search_facts.sql
\ir functions/search_fold.sql
\ir functions/search_hash.sql
\ir functions/search_parts.sql
\ir functions/search_words_of.sql
\ir functions/settle_stray_finding.sql
\ir functions/sign_on_alone.sql
\ir functions/sign_on_of_domain.sql
\ir functions/step_ok.sql
\ir functions/stray_findings.sql
\ir functions/tell_health.sql
\ir functions/tenant.sql
\ir functions/undecided.sql
\ir functions/waiting_endpoints.sql
\ir functions/wake_abandoned.sql
\ir functions/wake_provider.sql
\ir functions/whose_operation.sql
\ir functions/without_members.sql
\ir functions/write_request_log.sql

CREATE TABLE payment.api_keys (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  digest bytea NOT NULL,
  kind text NOT NULL,
  environment text NOT NULL,
  label text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  revoked_at timestamp with time zone,
  ends_at timestamp with time zone,
  last_used_at timestamp with time zone,
  in_page_at timestamp with time zone,
  scopes text[],
  CONSTRAINT api_keys_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  CONSTRAINT api_keys_digest_key UNIQUE (digest),
  CONSTRAINT api_keys_environment_is_known CHECK (environment = ANY (ARRAY['sandbox'::text, 'production'::text])),
  CONSTRAINT api_keys_kind_is_known CHECK (kind = ANY (ARRAY['public'::text, 'private'::text])),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_scopes_are_known_and_of_private CHECK (scopes IS NULL OR kind = 'private'::text AND cardinality(scopes) > 0 AND scopes <@ ARRAY['read'::text, 'payments'::text, 'refunds'::text, 'cards'::text, 'notifications'::text, 'tokens'::text, 'sandbox'::text])
);
CREATE INDEX api_keys_by_account ON payment.api_keys USING btree (merchant_account_id);
CREATE INDEX api_keys_ending ON payment.api_keys USING btree (ends_at) WHERE revoked_at IS NULL AND ends_at IS NOT NULL;
ALTER TABLE payment.api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.api_keys AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.api_keys AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (digest, revoked_at, ends_at, last_used_at, in_page_at) ON payment.api_keys TO payment_app;
GRANT SELECT ON payment.api_keys TO payment_queue;

CREATE TABLE payment.archives (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  part text NOT NULL,
  low payment.id24 NOT NULL,
  high payment.id24 NOT NULL,
  state text NOT NULL DEFAULT 'taken_off'::text,
  file text,
  row_count bigint,
  sha256 bytea,
  taken_off_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  dropped_at timestamp with time zone,
  back_at timestamp with time zone,
  CONSTRAINT archives_dropped_with_file CHECK ((state = 'taken_off'::text) = (num_nonnulls(file, row_count, sha256, dropped_at) = 0) AND (state = 'taken_off'::text OR num_nulls(file, row_count, sha256, dropped_at) = 0)),
  CONSTRAINT archives_file_once UNIQUE (file),
  CONSTRAINT archives_low_below_high CHECK (low::bytea < high::bytea),
  CONSTRAINT archives_pkey PRIMARY KEY (id),
  CONSTRAINT archives_state_is_known CHECK (state = ANY (ARRAY['taken_off'::text, 'dropped'::text, 'back'::text]))
);
GRANT SELECT ON payment.archives TO payment_app;

CREATE TABLE payment.audit (
  merchant_account_id payment.id24 NOT NULL,
  seq bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  object text NOT NULL,
  result text NOT NULL,
  source text NOT NULL,
  reason text,
  detail jsonb NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_hash_is_32_bytes CHECK (octet_length(hash) = 32),
  CONSTRAINT audit_pkey PRIMARY KEY (merchant_account_id, seq),
  CONSTRAINT audit_result_is_known CHECK (result = ANY (ARRAY['done'::text, 'failed'::text, 'refused'::text]))
);
CREATE INDEX audit_by_object ON payment.audit USING btree (merchant_account_id, object);
CREATE TRIGGER chain BEFORE INSERT ON payment.audit FOR EACH ROW EXECUTE FUNCTION payment.chain();
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.audit FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.audit FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.audit AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.audit AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT ON payment.audit TO payment_app;

CREATE TABLE payment.audit_heads (
  merchant_account_id payment.id24 NOT NULL,
  seq bigint NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_heads_hash_is_32_bytes CHECK (octet_length(hash) = 32),
  CONSTRAINT audit_heads_pkey PRIMARY KEY (merchant_account_id)
);
ALTER TABLE payment.audit_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.audit_heads FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.audit_heads AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.audit_heads AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON payment.audit_heads TO payment_queue;
GRANT SELECT ON payment.audit_heads TO payment_app;

CREATE TABLE payment.authentications (
  id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_merchant_id text NOT NULL,
  demand text NOT NULL,
  state text NOT NULL DEFAULT 'requested'::text,
  handle bytea NOT NULL,
  partner text NOT NULL,
  version text,
  server_id text,
  acs_transaction_id text,
  acs_url text,
  method_url text,
  trans_status text,
  eci text,
  ds_transaction_id text,
  liability_shifted boolean NOT NULL DEFAULT false,
  code text,
  request_id payment.id24,
  created_at timestamp with time zone NOT NULL,
  settled_at timestamp with time zone,
  tries integer NOT NULL DEFAULT 1,
  due_at timestamp with time zone NOT NULL,
  provider_run boolean NOT NULL DEFAULT false,
  form json,
  CONSTRAINT authentications_demand_is_known CHECK (demand = ANY (ARRAY['ask_3ds'::text, 'force_3ds'::text, 'soft_decline'::text])),
  CONSTRAINT authentications_handle_is_32_bytes CHECK (octet_length(handle) = 32),
  CONSTRAINT authentications_pkey PRIMARY KEY (order_id, transaction_id),
  CONSTRAINT authentications_settled_when_ended CHECK ((state = ANY (ARRAY['successful'::text, 'declined'::text])) = (settled_at IS NOT NULL)),
  CONSTRAINT authentications_state_is_known CHECK (state = ANY (ARRAY['requested'::text, 'method'::text, 'challenge'::text, 'successful'::text, 'declined'::text]))
) WITH (fillfactor=70);
ALTER TABLE payment.authentications ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX authentications_due ON payment.authentications USING btree (due_at) WHERE state = ANY (ARRAY['requested'::text, 'method'::text, 'challenge'::text]);
CREATE INDEX authentications_waiting ON payment.authentications USING btree (merchant_account_id, order_merchant_id) WHERE state = ANY (ARRAY['method'::text, 'challenge'::text]);
CREATE UNIQUE INDEX authentications_by_page ON payment.authentications USING btree (handle);
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.authentications FOR EACH ROW WHEN (NOT payment.authentication_step_ok(old.state, new.state)) EXECUTE FUNCTION payment.refuse('state change');
CREATE TRIGGER one_paid AFTER UPDATE OF state ON payment.authentications FOR EACH ROW WHEN (old.state <> new.state AND (new.state = ANY (ARRAY['successful'::text, 'declined'::text]))) EXECUTE FUNCTION payment.refuse_overtaken();
ALTER TABLE payment.authentications ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.authentications FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.authentications AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.authentications AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (state, version, server_id, acs_transaction_id, acs_url, method_url, trans_status, eci, ds_transaction_id, liability_shifted, code, settled_at, tries, due_at, form) ON payment.authentications TO payment_app;
GRANT SELECT, UPDATE (tries, due_at) ON payment.authentications TO payment_queue;

CREATE TABLE payment.card_removals (
  merchant_account_id payment.id24 NOT NULL,
  token_hash bytea NOT NULL,
  requested_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  tries integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT card_removals_pkey PRIMARY KEY (merchant_account_id, token_hash),
  CONSTRAINT card_removals_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX card_removals_due ON payment.card_removals USING btree (due_at);
ALTER TABLE payment.card_removals ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.card_removals FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.card_removals AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.card_removals AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (tries, due_at) ON payment.card_removals TO payment_app;
GRANT SELECT, UPDATE ON payment.card_removals TO payment_queue;

CREATE TABLE payment.checkouts (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  status text NOT NULL DEFAULT 'created'::text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  body json NOT NULL,
  page_handle bytea,
  attempts smallint NOT NULL DEFAULT 0,
  max_attempts smallint NOT NULL DEFAULT 3,
  subscription_id text GENERATED ALWAYS AS ((body ->> 'subscription_id'::text)) STORED,
  link_id payment.id24,
  CONSTRAINT checkouts_amount_is_positive CHECK (amount_minor > 0),
  CONSTRAINT checkouts_max_attempts_is_in_range CHECK (max_attempts >= 1 AND max_attempts <= 10),
  CONSTRAINT checkouts_page_handle_is_32_bytes CHECK (octet_length(page_handle) = 32),
  CONSTRAINT checkouts_pkey PRIMARY KEY (id),
  CONSTRAINT checkouts_status_is_known CHECK (status = ANY (ARRAY['created'::text, 'cancelled'::text, 'expired'::text]))
) WITH (fillfactor=55);
ALTER TABLE payment.checkouts ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX checkouts_by_link ON payment.checkouts USING btree (link_id, id) WHERE link_id IS NOT NULL;
CREATE INDEX checkouts_by_subscription ON payment.checkouts USING btree (merchant_account_id, subscription_id) WHERE subscription_id IS NOT NULL;
CREATE INDEX checkouts_expiry ON payment.checkouts USING brin (expires_at timestamptz_minmax_multi_ops) WITH (autosummarize='on');
CREATE UNIQUE INDEX checkouts_by_page ON payment.checkouts USING btree (page_handle) WHERE page_handle IS NOT NULL;
ALTER TABLE payment.checkouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.checkouts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.checkouts AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.checkouts AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (status, body, attempts, max_attempts) ON payment.checkouts TO payment_app;
GRANT SELECT, UPDATE (status) ON payment.checkouts TO payment_queue;

CREATE TABLE payment.clock (
  one boolean NOT NULL DEFAULT true,
  shift interval NOT NULL DEFAULT '00:00:00'::interval,
  goal interval NOT NULL DEFAULT '00:00:00'::interval,
  driven_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  driver payment.id24,
  CONSTRAINT clock_one_row CHECK (one),
  CONSTRAINT clock_pkey PRIMARY KEY (one)
);
CREATE TRIGGER never_back BEFORE UPDATE ON payment.clock FOR EACH ROW WHEN (new.shift < old.shift OR new.goal < old.goal) EXECUTE FUNCTION payment.never_back();
GRANT SELECT ON payment.clock TO payment_queue;
GRANT SELECT, UPDATE (shift, goal, driven_until, driver) ON payment.clock TO payment_app;

CREATE TABLE payment.contract_fees (
  merchant_account_id payment.id24 NOT NULL,
  contract_id payment.id24 NOT NULL,
  version integer NOT NULL,
  valid_from date NOT NULL,
  fees json NOT NULL,
  by_name text NOT NULL,
  note text,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  acquirer_country text,
  CONSTRAINT contract_fees_acquirer_country_is_a_code CHECK (acquirer_country ~ '^[A-Z]{2}$'::text),
  CONSTRAINT contract_fees_by_name_has_a_length CHECK (length(by_name) >= 1 AND length(by_name) <= 254),
  CONSTRAINT contract_fees_pkey PRIMARY KEY (merchant_account_id, contract_id, version),
  CONSTRAINT contract_fees_version_is_positive CHECK (version > 0)
);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.contract_fees FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.contract_fees ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.contract_fees FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.contract_fees AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.contract_fees AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT ON payment.contract_fees TO payment_app;

CREATE TABLE payment.contracts (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  name text NOT NULL,
  provider text NOT NULL,
  priority smallint NOT NULL DEFAULT 1,
  enabled boolean NOT NULL DEFAULT true,
  methods text[] NOT NULL DEFAULT '{}'::text[],
  currencies text[] NOT NULL DEFAULT '{}'::text[],
  channels text[] NOT NULL DEFAULT '{}'::text[],
  countries text[] NOT NULL DEFAULT '{}'::text[],
  operations text[] NOT NULL DEFAULT '{}'::text[],
  token_types text[] NOT NULL DEFAULT '{}'::text[],
  authorization_days smallint NOT NULL DEFAULT 30,
  credentials_sealed bytea,
  credentials_set jsonb NOT NULL DEFAULT '{}'::jsonb,
  checks_sealed bytea,
  checks_set jsonb NOT NULL DEFAULT '{}'::jsonb,
  acceptor text,
  held text,
  held_until timestamp with time zone,
  left_alone boolean NOT NULL DEFAULT false,
  CONSTRAINT contracts_acceptor_is_a_name CHECK (length(acceptor) >= 1 AND length(acceptor) <= 64),
  CONSTRAINT contracts_authorization_days_is_in_range CHECK (authorization_days >= 1 AND authorization_days <= 365),
  CONSTRAINT contracts_held_is_known CHECK (held = ANY (ARRAY['open'::text, 'closed'::text])),
  CONSTRAINT contracts_name_once UNIQUE (merchant_account_id, name),
  CONSTRAINT contracts_pkey PRIMARY KEY (id)
);
CREATE INDEX contracts_by_provider ON payment.contracts USING btree (provider) WHERE enabled;
CREATE INDEX contracts_held ON payment.contracts USING btree (held_until) WHERE held IS NOT NULL;
ALTER TABLE payment.contracts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.contracts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.contracts AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.contracts AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (priority, enabled, methods, currencies, channels, countries, operations, token_types, credentials_sealed, credentials_set, checks_sealed, checks_set, acceptor, held, held_until) ON payment.contracts TO payment_app;
GRANT SELECT, UPDATE (held, held_until, left_alone) ON payment.contracts TO payment_queue;

CREATE TABLE payment.contradictions (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  operation_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL,
  held text NOT NULL,
  said text NOT NULL,
  provider_ref text,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  state text NOT NULL DEFAULT 'open'::text,
  opened_at timestamp with time zone NOT NULL,
  settled_at timestamp with time zone,
  due_at timestamp with time zone NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  CONSTRAINT contradictions_amount_is_positive CHECK (amount_minor > 0),
  CONSTRAINT contradictions_held_is_known CHECK (held = ANY (ARRAY['successful'::text, 'declined'::text, 'not_sent'::text])),
  CONSTRAINT contradictions_kind_is_known CHECK (kind = ANY (ARRAY['authorize'::text, 'capture'::text, 'refund'::text, 'cancel'::text, 'reversal'::text])),
  CONSTRAINT contradictions_pkey PRIMARY KEY (id),
  CONSTRAINT contradictions_said_is_known CHECK (said = ANY (ARRAY['approved'::text, 'differs'::text, 'declined'::text, 'corrected'::text, 'reversed'::text, 'not_sent'::text])),
  CONSTRAINT contradictions_settled_unless_open CHECK ((state = 'open'::text) = (settled_at IS NULL)),
  CONSTRAINT contradictions_state_is_known CHECK (state = ANY (ARRAY['open'::text, 'ours'::text, 'theirs'::text]))
);
ALTER TABLE payment.contradictions ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX contradictions_due ON payment.contradictions USING btree (due_at) WHERE state = 'open'::text;
CREATE INDEX contradictions_of_account ON payment.contradictions USING btree (merchant_account_id, opened_at) WHERE state = 'open'::text;
CREATE INDEX contradictions_of_operation ON payment.contradictions USING btree (operation_id) WHERE state = 'open'::text;
CREATE UNIQUE INDEX one_open_contradiction ON payment.contradictions USING btree (order_id, operation_id) WHERE state = 'open'::text;
ALTER TABLE payment.contradictions ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.contradictions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.contradictions AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.contradictions AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (state, settled_at, due_at) ON payment.contradictions TO payment_app;
GRANT SELECT, UPDATE ON payment.contradictions TO payment_queue;

CREATE TABLE payment.customer_methods (
  merchant_account_id payment.id24 NOT NULL,
  customer_id text NOT NULL,
  name text NOT NULL,
  uses integer NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  CONSTRAINT customer_methods_pkey PRIMARY KEY (merchant_account_id, customer_id, name),
  CONSTRAINT customer_methods_uses_is_positive CHECK (uses > 0)
) WITH (fillfactor=80);
ALTER TABLE payment.customer_methods ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.customer_methods FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.customer_methods AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.customer_methods AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (uses, last_used_at) ON payment.customer_methods TO payment_app;

CREATE TABLE payment.customer_orders (
  merchant_account_id payment.id24 NOT NULL,
  customer_id text NOT NULL,
  order_id payment.id24 NOT NULL,
  token_hash bytea NOT NULL,
  token_sealed bytea,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT customer_orders_pkey PRIMARY KEY (merchant_account_id, customer_id, order_id, token_hash),
  CONSTRAINT customer_orders_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32)
);
ALTER TABLE payment.customer_orders ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX customer_orders_saving ON payment.customer_orders USING btree (merchant_account_id, token_hash) WHERE token_sealed IS NOT NULL;
ALTER TABLE payment.customer_orders ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.customer_orders FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.customer_orders AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.customer_orders AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (token_sealed) ON payment.customer_orders TO payment_app;
GRANT SELECT ON payment.customer_orders TO payment_queue;

CREATE TABLE payment.customers (
  merchant_account_id payment.id24 NOT NULL,
  customer_id text NOT NULL,
  id payment.id24 NOT NULL,
  browser jsonb NOT NULL DEFAULT '{}'::jsonb,
  ip text,
  version integer NOT NULL DEFAULT 0,
  next_seq integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  updated_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT customers_customer_id_has_a_length CHECK (length(customer_id) >= 1 AND length(customer_id) <= 255),
  CONSTRAINT customers_pkey PRIMARY KEY (merchant_account_id, customer_id)
) WITH (fillfactor=80);
ALTER TABLE payment.customers ALTER COLUMN merchant_account_id SET (n_distinct=1);
ALTER TABLE payment.customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.customers FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.customers AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.customers AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (browser, ip, version, next_seq, updated_at) ON payment.customers TO payment_app;

CREATE TABLE payment.decline_watches (
  family text NOT NULL,
  watches json NOT NULL,
  unwell boolean NOT NULL,
  watched_to timestamp with time zone NOT NULL,
  CONSTRAINT decline_watches_pkey PRIMARY KEY (family)
);
CREATE INDEX decline_watches_unwell ON payment.decline_watches USING btree (family) WHERE unwell;
GRANT INSERT, SELECT, UPDATE ON payment.decline_watches TO payment_app;

CREATE TABLE payment.declines (
  merchant_account_id payment.id24 NOT NULL,
  card bytea NOT NULL,
  at timestamp with time zone NOT NULL,
  transaction_id payment.id24 NOT NULL,
  acceptor text NOT NULL,
  initiator character(1) NOT NULL,
  scheme text NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  open boolean NOT NULL,
  category smallint,
  advice text,
  not_before timestamp with time zone,
  stopped boolean NOT NULL DEFAULT false,
  expires date,
  CONSTRAINT declines_card_is_32_bytes CHECK (octet_length(card) = 32),
  CONSTRAINT declines_initiator_is_known CHECK (initiator = ANY (ARRAY['p'::bpchar, 'm'::bpchar])),
  CONSTRAINT declines_pkey PRIMARY KEY (merchant_account_id, card, at, transaction_id)
);
CREATE INDEX declines_age ON payment.declines USING btree (at);
CREATE INDEX declines_of_wrong_data ON payment.declines USING btree (at) INCLUDE (merchant_account_id, acceptor) WHERE category = 3;
ALTER TABLE payment.declines ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.declines FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.declines AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.declines AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (open, category, advice, not_before, stopped) ON payment.declines TO payment_app;
GRANT DELETE, SELECT ON payment.declines TO payment_queue;

CREATE TABLE payment.dispute_answers (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  dispute_id payment.id24 NOT NULL,
  kind text NOT NULL,
  state text NOT NULL DEFAULT 'requested'::text,
  kept jsonb NOT NULL DEFAULT '{}'::jsonb,
  sent_at timestamp with time zone,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  note text NOT NULL DEFAULT ''::text,
  requested_by text NOT NULL,
  reason text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  ended_at timestamp with time zone,
  CONSTRAINT dispute_answers_kind_is_known CHECK (kind = ANY (ARRAY['submit'::text, 'accept'::text])),
  CONSTRAINT dispute_answers_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT dispute_answers_state_is_known CHECK (state = ANY (ARRAY['requested'::text, 'in_doubt'::text, 'taken'::text, 'refused'::text]))
);
CREATE INDEX dispute_answers_due ON payment.dispute_answers USING btree (due_at) WHERE state = ANY (ARRAY['requested'::text, 'in_doubt'::text]);
CREATE INDEX dispute_answers_of ON payment.dispute_answers USING btree (merchant_account_id, dispute_id, id);
CREATE UNIQUE INDEX dispute_answers_under_way ON payment.dispute_answers USING btree (merchant_account_id, dispute_id) WHERE state = ANY (ARRAY['requested'::text, 'in_doubt'::text, 'taken'::text]);
ALTER TABLE payment.dispute_answers ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.dispute_answers FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.dispute_answers AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.dispute_answers AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (state, kept, sent_at, tries, due_at, note, ended_at) ON payment.dispute_answers TO payment_app;
GRANT SELECT, UPDATE (tries, due_at) ON payment.dispute_answers TO payment_queue;

CREATE TABLE payment.dispute_evidence (
  dispute_id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  texts_sealed bytea NOT NULL,
  updated_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  updated_by text NOT NULL,
  CONSTRAINT dispute_evidence_pkey PRIMARY KEY (merchant_account_id, dispute_id)
);
ALTER TABLE payment.dispute_evidence ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.dispute_evidence FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.dispute_evidence AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.dispute_evidence AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (texts_sealed, updated_at, updated_by) ON payment.dispute_evidence TO payment_app;
GRANT DELETE, SELECT ON payment.dispute_evidence TO payment_queue;

CREATE TABLE payment.dispute_files (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  dispute_id payment.id24 NOT NULL,
  field text NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  size integer NOT NULL,
  sha256 bytea NOT NULL,
  content_sealed bytea,
  added_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  added_by text NOT NULL,
  CONSTRAINT dispute_files_name_has_a_length CHECK (length(name) >= 1 AND length(name) <= 255),
  CONSTRAINT dispute_files_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT dispute_files_size_is_in_range CHECK (size >= 1 AND size <= 5242880),
  CONSTRAINT dispute_files_type_is_known CHECK (type = ANY (ARRAY['application/pdf'::text, 'image/png'::text, 'image/jpeg'::text])),
  CONSTRAINT one_of_a_field UNIQUE (merchant_account_id, dispute_id, field)
);
ALTER TABLE payment.dispute_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.dispute_files FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.dispute_files AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.dispute_files AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON payment.dispute_files TO payment_app;
GRANT SELECT, UPDATE (content_sealed) ON payment.dispute_files TO payment_queue;

CREATE TABLE payment.disputes (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  operation_id payment.id24 NOT NULL,
  provider text NOT NULL,
  state text NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  reason text NOT NULL,
  reason_code text NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  told_at timestamp with time zone,
  round smallint NOT NULL DEFAULT 1,
  reference text,
  due_at timestamp with time zone,
  due_reckoned boolean NOT NULL DEFAULT false,
  remind_at timestamp with time zone,
  answered_at timestamp with time zone,
  answered_as text,
  CONSTRAINT disputes_amount_is_positive CHECK (amount_minor > 0),
  CONSTRAINT disputes_answered_as_is_known CHECK (answered_as = ANY (ARRAY['submitted'::text, 'accepted'::text, 'elsewhere'::text])),
  CONSTRAINT disputes_answered_has_a_moment CHECK ((answered_as IS NULL) = (answered_at IS NULL)),
  CONSTRAINT disputes_pkey PRIMARY KEY (id),
  CONSTRAINT disputes_state_is_known CHECK (state = ANY (ARRAY['opened'::text, 'won'::text, 'lost'::text])),
  CONSTRAINT one_of_a_round UNIQUE (order_id, operation_id, round)
);
ALTER TABLE payment.disputes ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX disputes_ended ON payment.disputes USING btree (updated_at) WHERE state <> 'opened'::text;
CREATE INDEX disputes_in_turn ON payment.disputes USING btree (merchant_account_id, id);
CREATE INDEX disputes_of_account ON payment.disputes USING btree (merchant_account_id, order_id);
CREATE INDEX disputes_open ON payment.disputes USING btree (merchant_account_id, due_at, id) WHERE state = 'opened'::text;
CREATE INDEX disputes_reminded ON payment.disputes USING btree (remind_at) WHERE remind_at IS NOT NULL;
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.disputes FOR EACH ROW WHEN (old.state = 'won'::text AND new.state <> 'won'::text) EXECUTE FUNCTION payment.refuse('state change');
ALTER TABLE payment.disputes ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.disputes FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.disputes AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.disputes AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (state, reason, reason_code, updated_at, told_at, reference, due_at, due_reckoned, remind_at, answered_at, answered_as) ON payment.disputes TO payment_app;
GRANT SELECT, UPDATE (remind_at) ON payment.disputes TO payment_queue;

CREATE TABLE payment.endpoints (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  url text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  events text[] NOT NULL,
  state text NOT NULL DEFAULT 'on'::text,
  secret_sealed bytea NOT NULL,
  old_secret_sealed bytea,
  old_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  probe_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  tests integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT endpoints_state_is_known CHECK (state = ANY (ARRAY['on'::text, 'off'::text, 'deleted'::text]))
);
CREATE INDEX endpoints_by_account ON payment.endpoints USING btree (merchant_account_id, state) WHERE state <> 'deleted'::text;
ALTER TABLE payment.endpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.endpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.endpoints AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.endpoints AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (state, secret_sealed, old_secret_sealed, old_secret_until, failing_since, probe_at, tests) ON payment.endpoints TO payment_app;
GRANT SELECT, UPDATE ON payment.endpoints TO payment_queue;

CREATE TABLE payment.epochs (
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
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.epochs FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
GRANT INSERT, SELECT ON payment.epochs TO payment_app;

CREATE TABLE payment.erasures (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  customer_id text,
  state text NOT NULL DEFAULT 'waiting'::text,
  seen_to payment.id24,
  orders integer NOT NULL DEFAULT 0,
  checkouts integer NOT NULL DEFAULT 0,
  cards integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  requested_by text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  ended_at timestamp with time zone,
  email text,
  CONSTRAINT erasures_forgets_whom CHECK ((state = 'done'::text) = (customer_id IS NULL AND email IS NULL) AND (customer_id IS NULL OR email IS NULL)),
  CONSTRAINT erasures_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT erasures_state_is_known CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text]))
);
CREATE INDEX erasures_due ON payment.erasures USING btree (due_at) WHERE state = 'waiting'::text;
ALTER TABLE payment.erasures ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.erasures FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.erasures AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.erasures AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (customer_id, state, seen_to, orders, checkouts, cards, due_at, ended_at, email) ON payment.erasures TO payment_app;
GRANT SELECT, UPDATE (due_at) ON payment.erasures TO payment_queue;

CREATE TABLE payment.events (
  subject_id payment.id24 NOT NULL,
  seq integer NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  type text NOT NULL,
  code text,
  request_id payment.id24,
  order_version integer,
  payload json,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  operation_id payment.id24,
  silent boolean NOT NULL DEFAULT false,
  heard boolean NOT NULL DEFAULT true,
  tx bigint DEFAULT ((pg_current_xact_id())::text)::bigint,
  CONSTRAINT events_pkey PRIMARY KEY (subject_id, seq)
);
ALTER TABLE payment.events ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX events_by_tx ON payment.events USING brin (tx) WITH (pages_per_range='32', autosummarize='on');
CREATE TRIGGER fan_out AFTER INSERT ON payment.events FOR EACH ROW WHEN (new.heard AND NOT new.silent AND new.type <> 'created'::text) EXECUTE FUNCTION payment.fan_out();
ALTER TABLE payment.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.events FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.events AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.events AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT ON payment.events TO payment_app;
GRANT INSERT, SELECT, UPDATE (payload) ON payment.events TO payment_queue;

CREATE TABLE payment.experiment_counts (
  merchant_account_id payment.id24 NOT NULL,
  number integer NOT NULL,
  arm text NOT NULL,
  hour integer NOT NULL,
  decided integer NOT NULL,
  approved integer NOT NULL,
  kept double precision,
  CONSTRAINT experiment_counts_add_up CHECK (approved >= 0 AND approved <= decided),
  CONSTRAINT experiment_counts_arm_is_known CHECK (arm = ANY (ARRAY['a'::text, 'b'::text])),
  CONSTRAINT experiment_counts_pkey PRIMARY KEY (merchant_account_id, number, hour, arm)
);
ALTER TABLE payment.experiment_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.experiment_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.experiment_counts AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.experiment_counts AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON payment.experiment_counts TO payment_app;

CREATE TABLE payment.experiments (
  merchant_account_id payment.id24 NOT NULL,
  number integer NOT NULL,
  version_a integer NOT NULL,
  version_b integer NOT NULL,
  share integer NOT NULL,
  subject text NOT NULL,
  method text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  ends_at timestamp with time zone NOT NULL,
  started_by text NOT NULL,
  reason text NOT NULL,
  verdict text,
  verdict_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  end_reason text,
  metric text NOT NULL DEFAULT 'approval'::text,
  CONSTRAINT experiments_method_is_known CHECK (method = ANY (ARRAY['fixed'::text, 'sequential'::text])),
  CONSTRAINT experiments_metric_is_known CHECK (metric = ANY (ARRAY['approval'::text, 'value'::text])),
  CONSTRAINT experiments_number_is_positive CHECK (number > 0),
  CONSTRAINT experiments_pkey PRIMARY KEY (merchant_account_id, number),
  CONSTRAINT experiments_share_is_a_part CHECK (share >= 1 AND share <= 9999),
  CONSTRAINT experiments_started_by_has_a_length CHECK (length(started_by) >= 1 AND length(started_by) <= 254),
  CONSTRAINT experiments_subject_is_known CHECK (subject = ANY (ARRAY['order'::text, 'customer'::text, 'card'::text])),
  CONSTRAINT experiments_verdict_is_known CHECK (verdict = ANY (ARRAY['a'::text, 'b'::text, 'none'::text])),
  CONSTRAINT experiments_versions_differ CHECK (version_a <> version_b)
);
CREATE UNIQUE INDEX one_experiment ON payment.experiments USING btree (merchant_account_id) WHERE ended_at IS NULL;
ALTER TABLE payment.experiments ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.experiments FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.experiments AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.experiments AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (verdict, verdict_at, ended_at, ended_by, end_reason) ON payment.experiments TO payment_app;

CREATE TABLE payment.health_changes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  provider text NOT NULL,
  from_state text NOT NULL,
  to_state text NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  reason text NOT NULL,
  by_name text,
  contract_id payment.id24,
  scheme text,
  told text,
  CONSTRAINT health_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX health_changes_by_time ON payment.health_changes USING btree (at);
CREATE TRIGGER tell_health AFTER INSERT ON payment.health_changes FOR EACH ROW EXECUTE FUNCTION payment.tell_health();
GRANT INSERT ON payment.health_changes TO payment_queue;
GRANT INSERT, SELECT ON payment.health_changes TO payment_app;

CREATE TABLE payment.idempotency_keys (
  merchant_account_id payment.id24 NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  object_id payment.id24 NOT NULL,
  fingerprint bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  done json,
  CONSTRAINT idempotency_keys_fingerprint_is_32_bytes CHECK (octet_length(fingerprint) = 32),
  CONSTRAINT idempotency_keys_key_has_a_length CHECK (length(key) >= 1 AND length(key) <= 255),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (merchant_account_id, route, key)
);
ALTER TABLE payment.idempotency_keys ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX idempotency_keys_age ON payment.idempotency_keys USING btree (created_at);
ALTER TABLE payment.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.idempotency_keys AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.idempotency_keys AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (done) ON payment.idempotency_keys TO payment_app;
GRANT DELETE, SELECT ON payment.idempotency_keys TO payment_queue;

CREATE TABLE payment.invitations (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  digest bytea NOT NULL,
  email text,
  role text NOT NULL,
  invited_by text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  inviter_id bytea,
  accepted_by bytea,
  role_id payment.id24 GENERATED ALWAYS AS (
CASE
    WHEN (role ~ '^[0-9a-f]{24}$'::text) THEN decode(role, 'hex'::text)
    ELSE NULL::bytea
END) STORED,
  mailed boolean NOT NULL DEFAULT false,
  CONSTRAINT invitations_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  CONSTRAINT invitations_digest_key UNIQUE (digest),
  CONSTRAINT invitations_only_owner_without_email CHECK (email IS NOT NULL OR role = 'owner'::text),
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_role_is_known CHECK (role_id IS NOT NULL OR (role = ANY (ARRAY['owner'::text, 'administrator'::text, 'developer'::text, 'operator'::text, 'reader'::text])))
);
CREATE INDEX invitations_by_account ON payment.invitations USING btree (merchant_account_id);
ALTER TABLE payment.invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.invitations FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.invitations AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.invitations AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (accepted_at, withdrawn_at, accepted_by) ON payment.invitations TO payment_app;
GRANT SELECT ON payment.invitations TO payment_queue;

CREATE TABLE payment.jobs (
  name text NOT NULL,
  "position" bytea,
  at timestamp with time zone,
  CONSTRAINT jobs_pkey PRIMARY KEY (name)
);
GRANT INSERT, SELECT, UPDATE ON payment.jobs TO payment_app;
GRANT SELECT ON payment.jobs TO payment_queue;

CREATE TABLE payment.known_networks (
  person_id payment.id24 NOT NULL,
  network text NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  locked_until timestamp with time zone,
  seen_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT known_networks_network_has_a_length CHECK (length(network) >= 1 AND length(network) <= 64),
  CONSTRAINT known_networks_pkey PRIMARY KEY (person_id, network)
);
GRANT DELETE, INSERT, SELECT, UPDATE (failures, locked_until, seen_at) ON payment.known_networks TO payment_app;

CREATE TABLE payment.lapses (
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT lapses_pkey PRIMARY KEY (merchant_account_id, order_id)
);
CREATE INDEX lapses_due ON payment.lapses USING btree (due_at);
ALTER TABLE payment.lapses ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.lapses FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.lapses AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.lapses AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (due_at) ON payment.lapses TO payment_app;
GRANT SELECT ON payment.lapses TO payment_queue;

CREATE TABLE payment.late_checkouts (
  checkout_id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  CONSTRAINT late_checkouts_pkey PRIMARY KEY (checkout_id)
);
ALTER TABLE payment.late_checkouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.late_checkouts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.late_checkouts AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.late_checkouts AS PERMISSIVE FOR ALL TO payment_queue
  USING (true);
GRANT DELETE, INSERT, SELECT ON payment.late_checkouts TO payment_queue;
GRANT SELECT ON payment.late_checkouts TO payment_app;

CREATE TABLE payment.ledger_entries (
  source_id payment.id24 NOT NULL,
  posting text NOT NULL,
  line smallint NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24,
  provider text NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  debit text NOT NULL,
  credit text NOT NULL,
  currency character(3) NOT NULL,
  amount_minor bigint NOT NULL,
  CONSTRAINT ledger_entries_amount_is_positive CHECK (amount_minor > 0),
  CONSTRAINT ledger_entries_credit_is_known CHECK (credit = ANY (ARRAY['authorized_hold'::text, 'authorized_contra'::text, 'provider_receivable'::text, 'merchant_payable'::text, 'refunds'::text, 'chargebacks'::text, 'fees'::text, 'payouts'::text])),
  CONSTRAINT ledger_entries_debit_is_known CHECK (debit = ANY (ARRAY['authorized_hold'::text, 'authorized_contra'::text, 'provider_receivable'::text, 'merchant_payable'::text, 'refunds'::text, 'chargebacks'::text, 'fees'::text, 'payouts'::text])),
  CONSTRAINT ledger_entries_debit_is_not_credit CHECK (debit <> credit),
  CONSTRAINT ledger_entries_line_is_in_range CHECK (line >= 1 AND line <= 8),
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (source_id, posting, line),
  CONSTRAINT ledger_entries_posting_is_known CHECK (posting = ANY (ARRAY['book'::text, 'unbook'::text]))
);
ALTER TABLE payment.ledger_entries ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX ledger_entries_by_time ON payment.ledger_entries USING brin (at) WITH (autosummarize='on');
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.ledger_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.ledger_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.ledger_entries AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.ledger_entries AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT ON payment.ledger_entries TO payment_app;
GRANT SELECT ON payment.ledger_entries TO payment_queue;

CREATE TABLE payment.mails (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  kind text NOT NULL,
  about_id payment.id24 NOT NULL,
  address text NOT NULL,
  sealed bytea NOT NULL,
  state text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  until timestamp with time zone NOT NULL,
  note text NOT NULL DEFAULT ''::text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT mails_kind_is_known CHECK (kind = ANY (ARRAY['invitation'::text, 'report'::text, 'receipt'::text, 'alarm'::text])),
  CONSTRAINT mails_letter_goes CHECK ((state = ANY (ARRAY['waiting'::text, 'kept'::text])) OR octet_length(sealed) = 0),
  CONSTRAINT mails_once UNIQUE (merchant_account_id, kind, about_id, address),
  CONSTRAINT mails_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT mails_state_is_known CHECK (state = ANY (ARRAY['waiting'::text, 'sent'::text, 'refused'::text, 'given_up'::text, 'kept'::text]))
);
CREATE INDEX mails_due ON payment.mails USING btree (state, due_at);
CREATE INDEX mails_lately ON payment.mails USING btree (merchant_account_id, created_at) WHERE kind <> 'receipt'::text;
CREATE INDEX mails_old ON payment.mails USING btree (created_at);
ALTER TABLE payment.mails ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.mails FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.mails AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.mails AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (sealed, state, due_at, note) ON payment.mails TO payment_app;
GRANT DELETE, SELECT, UPDATE (tries, due_at) ON payment.mails TO payment_queue;

CREATE TABLE payment.members (
  merchant_account_id payment.id24 NOT NULL,
  person_id payment.id24 NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  since timestamp with time zone DEFAULT payment.now(),
  role_id payment.id24 GENERATED ALWAYS AS (
CASE
    WHEN (role ~ '^[0-9a-f]{24}$'::text) THEN decode(role, 'hex'::text)
    ELSE NULL::bytea
END) STORED,
  alarm_mails boolean NOT NULL DEFAULT false,
  CONSTRAINT members_pkey PRIMARY KEY (merchant_account_id, person_id),
  CONSTRAINT members_role_is_known CHECK (role_id IS NOT NULL OR (role = ANY (ARRAY['owner'::text, 'administrator'::text, 'developer'::text, 'operator'::text, 'reader'::text])))
);
CREATE INDEX members_by_person ON payment.members USING btree (person_id);
CREATE INDEX members_by_role ON payment.members USING btree (merchant_account_id, role_id);
CREATE INDEX members_with_alarms ON payment.members USING btree (merchant_account_id) WHERE alarm_mails;
ALTER TABLE payment.members ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.members FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.members AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.members AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (role, alarm_mails) ON payment.members TO payment_app;
GRANT SELECT ON payment.members TO payment_queue;

CREATE TABLE payment.merchant_accounts (
  merchant_account_id payment.id24 NOT NULL,
  name text NOT NULL,
  settings jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT merchant_accounts_pkey PRIMARY KEY (merchant_account_id)
);
CREATE INDEX accounts_that_learn ON payment.merchant_accounts USING btree (merchant_account_id) WHERE settings ? 'experiment'::text OR jsonb_path_exists(settings, '$."routing"."rules"[*]."then"."best_of"'::jsonpath);
ALTER TABLE payment.merchant_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.merchant_accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.merchant_accounts AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.merchant_accounts AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (name, settings) ON payment.merchant_accounts TO payment_app;
GRANT SELECT ON payment.merchant_accounts TO payment_queue;

CREATE TABLE payment.network_references (
  merchant_account_id payment.id24 NOT NULL,
  subscription_id payment.id24 NOT NULL,
  reference text NOT NULL,
  order_id payment.id24 NOT NULL,
  kept_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT network_references_pkey PRIMARY KEY (merchant_account_id, subscription_id),
  CONSTRAINT network_references_reference_is_printable CHECK (reference ~ '^[!-~]{1,50}$'::text)
);
ALTER TABLE payment.network_references ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.network_references FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.network_references AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
GRANT INSERT, SELECT ON payment.network_references TO payment_app;

CREATE TABLE payment.notification_faults (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  fault text NOT NULL,
  times smallint NOT NULL,
  remaining smallint NOT NULL,
  match jsonb NOT NULL,
  CONSTRAINT notification_faults_fault_is_known CHECK (fault = ANY (ARRAY['refuse_connection'::text, 'timeout_not_taken'::text, 'timeout_taken'::text, 'http_500_before'::text, 'http_500_after'::text])),
  CONSTRAINT notification_faults_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT notification_faults_remaining_is_in_range CHECK (remaining >= 0 AND remaining <= 100),
  CONSTRAINT notification_faults_times_is_in_range CHECK (times >= 1 AND times <= 100)
);
ALTER TABLE payment.notification_faults ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.notification_faults FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.notification_faults AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
GRANT DELETE, INSERT, SELECT, UPDATE (remaining) ON payment.notification_faults TO payment_app;

CREATE TABLE payment.notifications (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  endpoint_id payment.id24 NOT NULL,
  subject_id payment.id24 NOT NULL,
  order_id payment.id24,
  event text NOT NULL,
  sequence integer NOT NULL,
  previous_sequence integer,
  facts json NOT NULL,
  body text,
  state text NOT NULL DEFAULT 'waiting'::text,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  next_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  leased_until timestamp with time zone,
  last_status smallint,
  last_error text,
  duration_ms integer,
  free_from timestamp with time zone,
  CONSTRAINT notifications_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT notifications_state_is_known CHECK (state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'parked'::text]))
) WITH (fillfactor=70);
ALTER TABLE payment.notifications ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX notifications_due ON payment.notifications USING btree (endpoint_id, due_at) WHERE state = 'waiting'::text;
CREATE INDEX notifications_heads ON payment.notifications USING btree (endpoint_id, subject_id, sequence) WHERE state = 'waiting'::text;
CREATE INDEX notifications_leased ON payment.notifications USING btree (endpoint_id) WHERE leased_until IS NOT NULL;
CREATE INDEX notifications_of_endpoint ON payment.notifications USING btree (merchant_account_id, endpoint_id, id);
CREATE INDEX notifications_of_event ON payment.notifications USING btree (merchant_account_id, event, id);
CREATE INDEX notifications_of_order ON payment.notifications USING btree (merchant_account_id, order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX notifications_parked ON payment.notifications USING btree (endpoint_id, id) WHERE state = 'parked'::text;
CREATE INDEX notifications_undelivered ON payment.notifications USING btree (merchant_account_id, state, id) WHERE state <> 'delivered'::text;
CREATE UNIQUE INDEX notifications_in_order ON payment.notifications USING btree (endpoint_id, subject_id, sequence);
ALTER TABLE payment.notifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.notifications FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.notifications AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.notifications AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (body, state, tries, next_at, due_at, leased_until, last_status, last_error, duration_ms, free_from) ON payment.notifications TO payment_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON payment.notifications TO payment_queue;

CREATE TABLE payment.observations (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  merchant_account_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL,
  operation_id payment.id24,
  source text NOT NULL,
  outcome text NOT NULL,
  amount_minor bigint,
  currency character(3),
  provider_ref text,
  provider_code text,
  http_status smallint,
  detail json,
  answer text,
  CONSTRAINT observations_answer_is_short CHECK (length(answer) <= 2100),
  CONSTRAINT observations_outcome_is_known CHECK (outcome = ANY (ARRAY['sent'::text, 'approved'::text, 'declined'::text, 'pending'::text, 'payer_must_act'::text, 'not_found'::text, 'reversed'::text, 'not_sent'::text, 'corrected'::text, 'unknown'::text])),
  CONSTRAINT observations_source_is_known CHECK (source = ANY (ARRAY['call'::text, 'answer'::text, 'webhook'::text, 'inquiry'::text, 'vault'::text, 'file'::text, 'operator'::text, 'timer'::text]))
) PARTITION BY RANGE (transaction_id);
CREATE INDEX observations_by_transaction ON ONLY payment.observations USING brin (transaction_id);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.observations FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.observations ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.observations FORCE ROW LEVEL SECURITY;
CREATE POLICY keeper ON payment.observations AS PERMISSIVE FOR ALL TO florin_owner
  USING (true)
  WITH CHECK (true);
CREATE POLICY own ON payment.observations AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.observations AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT ON payment.observations TO payment_queue;
GRANT INSERT, SELECT ON payment.observations TO payment_app;

CREATE TABLE payment.operations (
  id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL,
  target_id payment.id24,
  origin text NOT NULL DEFAULT 'merchant'::text,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  with_capture boolean NOT NULL DEFAULT false,
  order_merchant_id text,
  operation_merchant_id text,
  request_id payment.id24,
  created_at timestamp with time zone NOT NULL,
  sent_at timestamp with time zone,
  settled_at timestamp with time zone,
  final boolean,
  refund_reason text,
  state text NOT NULL DEFAULT 'requested'::text,
  waits_for text NOT NULL DEFAULT 'call'::text,
  provider_ref text,
  code text,
  reason text,
  authorization_code text,
  provider_code text,
  provider_text text,
  tries integer NOT NULL DEFAULT 1,
  due_at timestamp with time zone NOT NULL,
  answer_hash bytea,
  step text,
  kept json NOT NULL DEFAULT '{}'::json,
  money_sent boolean NOT NULL DEFAULT false,
  key_round integer NOT NULL DEFAULT 0,
  CONSTRAINT operations_amount_is_positive CHECK (amount_minor > 0),
  CONSTRAINT operations_answer_hash_is_32_bytes CHECK (octet_length(answer_hash) = 32),
  CONSTRAINT operations_kind_is_known CHECK (kind = ANY (ARRAY['authorize'::text, 'capture'::text, 'refund'::text, 'cancel'::text, 'reversal'::text])),
  CONSTRAINT operations_one_authorization_per_attempt CHECK ((kind = 'authorize'::text) = (id::bytea = transaction_id::bytea)),
  CONSTRAINT operations_only_authorizations_capture_or_reverse CHECK (kind = 'authorize'::text OR NOT with_capture AND state <> 'reversing'::text),
  CONSTRAINT operations_origin_is_known CHECK (origin = ANY (ARRAY['merchant'::text, 'recovery'::text, 'provider'::text, 'schedule'::text, 'operator'::text])),
  CONSTRAINT operations_pkey PRIMARY KEY (order_id, id),
  CONSTRAINT operations_reversal_has_target CHECK (kind <> 'reversal'::text OR target_id IS NOT NULL),
  CONSTRAINT operations_state_is_known CHECK (state = ANY (ARRAY['requested'::text, 'in_doubt'::text, 'reversing'::text, 'review'::text, 'successful'::text, 'declined'::text, 'not_sent'::text])),
  CONSTRAINT operations_waits_for_is_known CHECK (waits_for = ANY (ARRAY['call'::text, 'payer'::text, 'provider'::text]))
) WITH (fillfactor=55);
ALTER TABLE payment.operations ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX operations_by_id ON payment.operations USING brin (id) WITH (pages_per_range='64', autosummarize='on');
CREATE INDEX operations_by_reference ON payment.operations USING btree (merchant_account_id, provider_ref) WHERE provider_ref IS NOT NULL;
CREATE INDEX operations_due ON payment.operations USING btree (due_at) WHERE state = ANY (ARRAY['requested'::text, 'in_doubt'::text, 'review'::text]);
CREATE UNIQUE INDEX one_at_provider ON payment.operations USING btree (merchant_account_id, order_merchant_id) WHERE origin = 'merchant'::text AND (kind = 'authorize'::text OR kind = 'capture'::text AND target_id IS NOT NULL) AND (state = ANY (ARRAY['requested'::text, 'in_doubt'::text, 'reversing'::text, 'review'::text])) AND waits_for <> 'payer'::text;
CREATE UNIQUE INDEX one_open_reversal ON payment.operations USING btree (order_id, target_id) WHERE kind = 'reversal'::text AND (state = ANY (ARRAY['requested'::text, 'in_doubt'::text, 'review'::text]));
CREATE UNIQUE INDEX own_reference_once ON payment.operations USING btree (order_id, kind, operation_merchant_id) WHERE operation_merchant_id IS NOT NULL;
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.operations FOR EACH ROW WHEN (NOT payment.step_ok(old.kind, old.state, new.state)) EXECUTE FUNCTION payment.refuse_step();
ALTER TABLE payment.operations ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.operations FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.operations AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.operations AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (sent_at, settled_at, state, waits_for, provider_ref, code, reason, authorization_code, provider_code, provider_text, tries, due_at, answer_hash, step, kept, money_sent, key_round) ON payment.operations TO payment_app;
GRANT SELECT, UPDATE ON payment.operations TO payment_queue;

CREATE TABLE payment.order_classes (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  merchant_account_id payment.id24 NOT NULL,
  status text NOT NULL,
  code text NOT NULL,
  currency character(3) NOT NULL,
  provider text NOT NULL,
  payment_method_name text NOT NULL,
  operation_type text NOT NULL,
  is_suspicious boolean NOT NULL,
  digits smallint NOT NULL,
  orders bigint NOT NULL DEFAULT 0,
  outcome text NOT NULL,
  CONSTRAINT order_classes_combination_once UNIQUE (merchant_account_id, status, code, currency, provider, payment_method_name, operation_type, is_suspicious, digits, outcome),
  CONSTRAINT order_classes_pkey PRIMARY KEY (merchant_account_id, id)
) WITH (fillfactor=50);
ALTER TABLE payment.order_classes ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_classes FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_classes AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.order_classes AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON payment.order_classes TO payment_queue;
GRANT SELECT ON payment.order_classes TO payment_app;

CREATE TABLE payment.order_hours (
  merchant_account_id payment.id24 NOT NULL,
  hour integer NOT NULL,
  class_id integer NOT NULL,
  orders integer NOT NULL,
  amount_minor numeric NOT NULL,
  CONSTRAINT order_hours_pkey PRIMARY KEY (merchant_account_id, hour, class_id)
) WITH (fillfactor=50);
ALTER TABLE payment.order_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_hours FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_hours AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.order_hours AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON payment.order_hours TO payment_queue;
GRANT SELECT ON payment.order_hours TO payment_app;

CREATE TABLE payment.order_notes (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  person_id payment.id24 NOT NULL,
  by_name text NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT order_notes_pkey PRIMARY KEY (merchant_account_id, order_id, id),
  CONSTRAINT order_notes_text_has_a_length CHECK (length(text) >= 3 AND length(text) <= 2000)
);
ALTER TABLE payment.order_notes ALTER COLUMN merchant_account_id SET (n_distinct=1);
ALTER TABLE payment.order_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_notes AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
GRANT DELETE, INSERT, SELECT ON payment.order_notes TO payment_app;

CREATE TABLE payment.order_search (
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  class_id integer NOT NULL,
  last4 smallint,
  amount_minor bigint NOT NULL,
  customer bigint,
  email bigint,
  country text,
  tries text,
  CONSTRAINT order_search_pkey PRIMARY KEY (merchant_account_id, order_id),
  CONSTRAINT order_search_tries_is_known CHECK (tries = ANY (ARRAY['first'::text, 'fallback'::text, 'again'::text]))
);
ALTER TABLE payment.order_search ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX order_search_by_amount ON payment.order_search USING btree (merchant_account_id, amount_minor, order_id) INCLUDE (class_id);
CREATE INDEX order_search_by_class ON payment.order_search USING btree (class_id, order_id) INCLUDE (merchant_account_id, amount_minor);
CREATE INDEX order_search_by_customer ON payment.order_search USING btree (merchant_account_id, customer, order_id) INCLUDE (class_id, amount_minor) WHERE customer IS NOT NULL;
CREATE INDEX order_search_by_email ON payment.order_search USING btree (merchant_account_id, email, order_id) INCLUDE (class_id, amount_minor) WHERE email IS NOT NULL;
CREATE INDEX order_search_by_last4 ON payment.order_search USING btree (merchant_account_id, last4, order_id) INCLUDE (class_id, amount_minor) WHERE last4 IS NOT NULL;
ALTER TABLE payment.order_search ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_search FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_search AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.order_search AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON payment.order_search TO payment_queue;
GRANT SELECT ON payment.order_search TO payment_app;

CREATE TABLE payment.order_search_state (
  one boolean NOT NULL DEFAULT true,
  next_tx bigint NOT NULL,
  uncounted_account payment.id24,
  uncounted_order payment.id24,
  CONSTRAINT order_search_state_one_row CHECK (one),
  CONSTRAINT order_search_state_pkey PRIMARY KEY (one)
);
GRANT SELECT ON payment.order_search_state TO payment_app;
GRANT SELECT, UPDATE ON payment.order_search_state TO payment_queue;

CREATE TABLE payment.order_sums (
  merchant_account_id payment.id24 NOT NULL,
  facet text NOT NULL,
  hours smallint NOT NULL,
  at integer NOT NULL,
  currency character(3) NOT NULL,
  name text NOT NULL,
  captured integer NOT NULL,
  refunded integer NOT NULL,
  authorized integer NOT NULL,
  released integer NOT NULL,
  declined integer NOT NULL,
  open integer NOT NULL,
  approved_minor numeric NOT NULL,
  CONSTRAINT order_sums_facet_is_known CHECK (facet = ANY (ARRAY['all'::text, 'provider'::text, 'scheme'::text, 'country'::text, 'reason'::text, 'tries'::text])),
  CONSTRAINT order_sums_hour_or_day CHECK (hours = ANY (ARRAY[1, 24])),
  CONSTRAINT order_sums_pkey PRIMARY KEY (merchant_account_id, facet, hours, at, currency, name) INCLUDE (captured, refunded, authorized, released, declined, open, approved_minor)
);
ALTER TABLE payment.order_sums ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_sums FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_sums AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.order_sums AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON payment.order_sums TO payment_queue;
GRANT SELECT ON payment.order_sums TO payment_app;

CREATE TABLE payment.orders (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  checkout_id payment.id24,
  order_merchant_id text NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  body json NOT NULL,
  fingerprint bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  status text NOT NULL,
  live boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  next_seq integer NOT NULL DEFAULT 1,
  winner_id payment.id24,
  attempts smallint NOT NULL DEFAULT 1,
  max_attempts smallint NOT NULL,
  authorized_minor bigint NOT NULL DEFAULT 0,
  released_minor bigint NOT NULL DEFAULT 0,
  capturing_minor bigint NOT NULL DEFAULT 0,
  captured_minor bigint NOT NULL DEFAULT 0,
  refunding_minor bigint NOT NULL DEFAULT 0,
  refunded_minor bigint NOT NULL DEFAULT 0,
  cancel_pending boolean NOT NULL DEFAULT false,
  contradicted boolean,
  above_minor bigint,
  CONSTRAINT orders_above_is_positive CHECK (above_minor > 0),
  CONSTRAINT orders_amount_is_positive CHECK (amount_minor > 0),
  CONSTRAINT orders_authorized_at_most_amount CHECK (authorized_minor >= 0 AND authorized_minor <= amount_minor),
  CONSTRAINT orders_captured_at_most_authorized CHECK (capturing_minor >= 0 AND captured_minor >= 0 AND released_minor >= 0 AND (capturing_minor + captured_minor + released_minor) <= (authorized_minor + COALESCE(above_minor, 0::bigint))),
  CONSTRAINT orders_fingerprint_is_16_bytes CHECK (octet_length(fingerprint) = 16),
  CONSTRAINT orders_live_follows_status CHECK (live = (status <> ALL (ARRAY['risk_assessment_declined'::text, 'authentication_declined'::text, 'authorization_declined'::text, 'authorization_cancelled'::text, 'authorization_expired'::text]))),
  CONSTRAINT orders_no_cancel_beside_capture CHECK (NOT cancel_pending OR capturing_minor = 0),
  CONSTRAINT orders_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT orders_refunded_at_most_captured CHECK (refunding_minor >= 0 AND refunded_minor >= 0 AND (refunding_minor + refunded_minor) <= (captured_minor + COALESCE(above_minor, 0::bigint))),
  CONSTRAINT orders_status_is_known CHECK (status = ANY (ARRAY['created'::text, 'risk_assessment_requested'::text, 'risk_assessment_approved'::text, 'risk_assessment_declined'::text, 'authentication_requested'::text, 'authentication_successful'::text, 'authentication_declined'::text, 'authorization_requested'::text, 'authorization_successful'::text, 'authorization_declined'::text, 'authorization_cancelled'::text, 'authorization_expired'::text, 'authorization_cancel_requested'::text, 'authorization_cancel_declined'::text, 'capture_requested'::text, 'capture_successful'::text, 'capture_declined'::text, 'refund_requested'::text, 'refund_successful'::text, 'refund_declined'::text]))
) WITH (fillfactor=55);
ALTER TABLE payment.orders ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX orders_by_checkout ON payment.orders USING btree (checkout_id, id) WHERE checkout_id IS NOT NULL AND NOT live;
CREATE INDEX orders_by_reference ON payment.orders USING btree (merchant_account_id, order_merchant_id);
CREATE UNIQUE INDEX one_live_order ON payment.orders USING btree (checkout_id) WHERE live;
CREATE TRIGGER versions_rise AFTER UPDATE ON payment.orders FOR EACH ROW WHEN (new.version <= old.version) EXECUTE FUNCTION payment.refuse('version change');
ALTER TABLE payment.orders ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.orders FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.orders AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.orders AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (order_merchant_id, body, fingerprint, updated_at, status, live, version, next_seq, winner_id, attempts, max_attempts, authorized_minor, released_minor, capturing_minor, captured_minor, refunding_minor, refunded_minor, cancel_pending, contradicted, above_minor) ON payment.orders TO payment_app;
GRANT SELECT ON payment.orders TO payment_queue;

CREATE TABLE payment.passkey_challenges (
  challenge bytea NOT NULL,
  holder bytea,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT passkey_challenges_challenge_is_32_bytes CHECK (octet_length(challenge) = 32),
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge)
);
CREATE INDEX passkey_challenges_by_age ON payment.passkey_challenges USING btree (created_at);
GRANT DELETE, INSERT, SELECT ON payment.passkey_challenges TO payment_app;

CREATE TABLE payment.passkeys (
  id payment.id24 NOT NULL,
  person_id payment.id24 NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  synced boolean NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  used_at timestamp with time zone,
  CONSTRAINT passkeys_credential_id_has_a_length CHECK (octet_length(credential_id) >= 1 AND octet_length(credential_id) <= 1023),
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkeys_name_has_a_length CHECK (length(name) >= 1 AND length(name) <= 100),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id)
);
CREATE INDEX passkeys_by_person ON payment.passkeys USING btree (person_id);
GRANT DELETE, INSERT, SELECT, UPDATE (counter, synced, used_at) ON payment.passkeys TO payment_app;

CREATE TABLE payment.payment_links (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  handle bytea NOT NULL,
  many boolean NOT NULL,
  currency character(3) NOT NULL,
  amount_minor bigint,
  least_minor bigint,
  most_minor bigint,
  state text NOT NULL DEFAULT 'active'::text,
  body json NOT NULL,
  opened integer NOT NULL DEFAULT 0,
  checkout_id payment.id24,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  CONSTRAINT payment_links_amount_is_fixed_or_within_bounds CHECK (
CASE
    WHEN amount_minor IS NULL THEN least_minor IS NOT NULL AND most_minor IS NOT NULL AND least_minor > 0 AND least_minor <= most_minor
    ELSE amount_minor > 0 AND least_minor IS NULL AND most_minor IS NULL
END),
  CONSTRAINT payment_links_handle_is_32_bytes CHECK (octet_length(handle) = 32),
  CONSTRAINT payment_links_pkey PRIMARY KEY (id),
  CONSTRAINT payment_links_state_is_known CHECK (state = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text]))
);
CREATE INDEX payment_links_by_account ON payment.payment_links USING btree (merchant_account_id, id);
CREATE UNIQUE INDEX payment_links_by_handle ON payment.payment_links USING btree (handle);
ALTER TABLE payment.payment_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.payment_links FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.payment_links AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.payment_links AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (state, opened, checkout_id) ON payment.payment_links TO payment_app;
GRANT SELECT ON payment.payment_links TO payment_queue;

CREATE TABLE payment.people (
  id payment.id24 NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password text NOT NULL,
  totp_sealed bytea,
  totp_confirmed_at timestamp with time zone,
  totp_step bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  locked_until timestamp with time zone,
  last_login_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  command_digest bytea,
  failed_at timestamp with time zone,
  address_proved_at timestamp with time zone,
  totp_next_sealed bytea,
  CONSTRAINT people_command_digest_is_32_bytes CHECK (octet_length(command_digest) = 32),
  CONSTRAINT people_email_is_small_letters CHECK (email = lower(email) AND length(email) >= 3 AND length(email) <= 254),
  CONSTRAINT people_email_key UNIQUE (email),
  CONSTRAINT people_name_has_a_length CHECK (length(name) >= 1 AND length(name) <= 100),
  CONSTRAINT people_pkey PRIMARY KEY (id)
);
GRANT INSERT, SELECT, UPDATE (email, name, password, totp_sealed, totp_confirmed_at, totp_step, failures, locked_until, last_login_at, command_digest, failed_at, address_proved_at, totp_next_sealed) ON payment.people TO payment_app;
GRANT SELECT ON payment.people TO payment_queue;

CREATE TABLE payment.provider_events (
  provider text NOT NULL,
  event_ref text NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24,
  body bytea NOT NULL,
  reason text,
  state text NOT NULL DEFAULT 'received'::text,
  received_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  looked_at timestamp with time zone,
  contract_id payment.id24 NOT NULL,
  CONSTRAINT provider_events_passed_over_has_reason CHECK ((state = ANY (ARRAY['received'::text, 'applied'::text])) OR reason IS NOT NULL),
  CONSTRAINT provider_events_pkey PRIMARY KEY (merchant_account_id, contract_id, event_ref),
  CONSTRAINT provider_events_state_is_known CHECK (state = ANY (ARRAY['received'::text, 'applied'::text, 'ignored'::text, 'parked'::text]))
);
ALTER TABLE payment.provider_events ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX provider_events_open ON payment.provider_events USING btree (received_at) WHERE state = ANY (ARRAY['received'::text, 'parked'::text]);
CREATE INDEX provider_events_parked ON payment.provider_events USING btree (merchant_account_id, received_at DESC) WHERE state = 'parked'::text;
ALTER TABLE payment.provider_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.provider_events FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.provider_events AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.provider_events AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (order_id, reason, state) ON payment.provider_events TO payment_app;
GRANT SELECT, UPDATE (looked_at) ON payment.provider_events TO payment_queue;

CREATE TABLE payment.providers (
  name text NOT NULL,
  health text NOT NULL DEFAULT 'closed'::text,
  next_probe_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  message_secret text,
  watch json,
  watched_to timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  held text,
  held_until timestamp with time zone,
  CONSTRAINT providers_health_is_known CHECK (health = ANY (ARRAY['closed'::text, 'open'::text, 'half'::text, 'spread'::text])),
  CONSTRAINT providers_held_is_known CHECK (held = ANY (ARRAY['open'::text, 'closed'::text])),
  CONSTRAINT providers_pkey PRIMARY KEY (name)
);
GRANT INSERT, SELECT, UPDATE ON payment.providers TO payment_app;
GRANT SELECT, UPDATE (held, held_until) ON payment.providers TO payment_queue;

CREATE TABLE payment.reconcile_findings (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL,
  what text NOT NULL,
  reference payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  operation_id payment.id24,
  ours text NOT NULL,
  theirs text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  source text NOT NULL,
  became text NOT NULL,
  state text NOT NULL,
  found_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  seen_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  ended_at timestamp with time zone,
  resolved_by text,
  note text,
  by_name text,
  books_to timestamp with time zone,
  CONSTRAINT reconcile_findings_amount_is_no_debt CHECK (amount_minor >= 0),
  CONSTRAINT reconcile_findings_kind_is_known CHECK (kind = ANY (ARRAY['missing here'::text, 'missing there'::text, 'amount'::text, 'currency'::text, 'state'::text, 'double effect'::text])),
  CONSTRAINT reconcile_findings_once UNIQUE (merchant_account_id, provider, kind, what, reference, order_id),
  CONSTRAINT reconcile_findings_open_until_ended CHECK ((state = 'open'::text) = (ended_at IS NULL)),
  CONSTRAINT reconcile_findings_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT reconcile_findings_resolved_by_a_file CHECK ((state = 'resolved'::text) = (resolved_by IS NOT NULL)),
  CONSTRAINT reconcile_findings_settled_by_a_person CHECK (state <> 'settled'::text OR note IS NOT NULL AND by_name IS NOT NULL),
  CONSTRAINT reconcile_findings_state_is_known CHECK (state = ANY (ARRAY['open'::text, 'resolved'::text, 'settled'::text]))
);
CREATE INDEX reconcile_findings_open ON payment.reconcile_findings USING btree (merchant_account_id, id) WHERE state = 'open'::text;
ALTER TABLE payment.reconcile_findings ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.reconcile_findings FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.reconcile_findings AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.reconcile_findings AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (operation_id, ours, theirs, amount_minor, currency, source, became, state, seen_at, ended_at, resolved_by, note, by_name, books_to) ON payment.reconcile_findings TO payment_app;
GRANT SELECT, UPDATE (state, ended_at, note, by_name) ON payment.reconcile_findings TO payment_queue;

CREATE TABLE payment.recovery_codes (
  person_id payment.id24 NOT NULL,
  digest bytea NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT recovery_codes_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (person_id, digest)
);
GRANT DELETE, INSERT, SELECT, UPDATE (used_at) ON payment.recovery_codes TO payment_app;

CREATE TABLE payment.refund_requests (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  form jsonb NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  reason text NOT NULL,
  requested_by payment.id24 NOT NULL,
  requested_email text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  state text NOT NULL DEFAULT 'open'::text,
  decided_by payment.id24,
  decided_email text,
  decided_at timestamp with time zone,
  operation_id payment.id24,
  CONSTRAINT refund_requests_amount_is_positive CHECK (amount_minor > 0),
  CONSTRAINT refund_requests_approved_by_another CHECK (state <> 'approved'::text OR decided_by::bytea <> requested_by::bytea),
  CONSTRAINT refund_requests_approved_has_operation CHECK ((state = 'approved'::text) = (operation_id IS NOT NULL)),
  CONSTRAINT refund_requests_decided_unless_open CHECK ((state = 'open'::text) = (decided_by IS NULL)),
  CONSTRAINT refund_requests_pkey PRIMARY KEY (id),
  CONSTRAINT refund_requests_state_is_known CHECK (state = ANY (ARRAY['open'::text, 'approved'::text, 'declined'::text]))
);
CREATE INDEX refund_requests_by_account ON payment.refund_requests USING btree (merchant_account_id, state, created_at);
ALTER TABLE payment.refund_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.refund_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.refund_requests AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
GRANT INSERT, SELECT, UPDATE (state, decided_by, decided_email, decided_at, operation_id) ON payment.refund_requests TO payment_app;

CREATE TABLE payment.report_pieces (
  merchant_account_id payment.id24 NOT NULL,
  run_id payment.id24 NOT NULL,
  n integer NOT NULL,
  sealed bytea NOT NULL,
  CONSTRAINT report_pieces_pkey PRIMARY KEY (merchant_account_id, run_id, n)
);
ALTER TABLE payment.report_pieces ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.report_pieces FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.report_pieces AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.report_pieces AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON payment.report_pieces TO payment_app;
GRANT DELETE, SELECT ON payment.report_pieces TO payment_queue;

CREATE TABLE payment.report_runs (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  report_id payment.id24,
  name text NOT NULL,
  kind text NOT NULL,
  format text NOT NULL,
  zone text NOT NULL,
  from_at timestamp with time zone NOT NULL,
  to_at timestamp with time zone NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  rows integer NOT NULL DEFAULT 0,
  size bigint NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  note text NOT NULL DEFAULT ''::text,
  requested_by text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  made_at timestamp with time zone,
  CONSTRAINT report_runs_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT report_runs_span_once UNIQUE (merchant_account_id, report_id, from_at),
  CONSTRAINT report_runs_state_is_known CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text, 'gone'::text]))
);
CREATE INDEX report_runs_due ON payment.report_runs USING btree (due_at) WHERE state = 'waiting'::text;
CREATE INDEX report_runs_held ON payment.report_runs USING btree (merchant_account_id, state) INCLUDE (id, size) WHERE state = ANY (ARRAY['waiting'::text, 'done'::text]);
CREATE INDEX report_runs_kept ON payment.report_runs USING btree (created_at) WHERE state = 'done'::text;
ALTER TABLE payment.report_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.report_runs FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.report_runs AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.report_runs AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (state, rows, size, due_at, note, made_at) ON payment.report_runs TO payment_app;
GRANT SELECT, UPDATE (state, tries, due_at) ON payment.report_runs TO payment_queue;

CREATE TABLE payment.reports (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  format text NOT NULL,
  every text NOT NULL,
  zone text NOT NULL,
  next_at timestamp with time zone NOT NULL,
  created_by text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT reports_every_is_known CHECK (every = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text])),
  CONSTRAINT reports_format_is_known CHECK (format = ANY (ARRAY['csv'::text, 'jsonl'::text, 'xlsx'::text])),
  CONSTRAINT reports_kind_is_known CHECK (kind = ANY (ARRAY['orders'::text, 'captures'::text, 'refunds'::text, 'disputes'::text, 'bookings'::text])),
  CONSTRAINT reports_name_has_a_length CHECK (length(name) >= 1 AND length(name) <= 60),
  CONSTRAINT reports_pkey PRIMARY KEY (merchant_account_id, id)
);
CREATE INDEX reports_due ON payment.reports USING btree (next_at);
ALTER TABLE payment.reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.reports FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.reports AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.reports AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (next_at) ON payment.reports TO payment_app;
GRANT SELECT ON payment.reports TO payment_queue;

CREATE TABLE payment.request_log (
  merchant_account_id payment.id24 NOT NULL,
  at timestamp with time zone NOT NULL,
  id payment.id24 NOT NULL,
  refused boolean NOT NULL,
  orders bytea[] NOT NULL,
  facts bytea NOT NULL,
  bodies bytea NOT NULL,
  CONSTRAINT request_log_pkey PRIMARY KEY (merchant_account_id, at, id)
) PARTITION BY RANGE (at);
CREATE INDEX request_log_orders ON ONLY payment.request_log USING gin (orders);
ALTER TABLE payment.request_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.request_log FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.request_log AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.request_log AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT ON payment.request_log TO payment_queue;
GRANT SELECT ON payment.request_log TO payment_app;

CREATE TABLE payment.retries (
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  policy text NOT NULL,
  state text NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  cause text,
  next_at timestamp with time zone,
  until timestamp with time zone NOT NULL,
  began_at timestamp with time zone NOT NULL,
  ending text,
  ended_at timestamp with time zone,
  due_at timestamp with time zone,
  CONSTRAINT retries_ends_for_a_reason CHECK ((state = 'ended'::text) = (ending IS NOT NULL) AND (state = 'ended'::text) = (ended_at IS NOT NULL)),
  CONSTRAINT retries_is_looked_at_until_it_ends CHECK ((state = 'ended'::text) = (due_at IS NULL)),
  CONSTRAINT retries_pkey PRIMARY KEY (merchant_account_id, order_id),
  CONSTRAINT retries_state_is_known CHECK (state = ANY (ARRAY['waiting'::text, 'running'::text, 'ended'::text])),
  CONSTRAINT retries_waits_for_a_moment CHECK ((state = 'waiting'::text) = (next_at IS NOT NULL))
);
ALTER TABLE payment.retries ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX retries_due ON payment.retries USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX retries_ended ON payment.retries USING btree (merchant_account_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX retries_planned ON payment.retries USING btree (merchant_account_id, due_at) WHERE due_at IS NOT NULL;
ALTER TABLE payment.retries ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.retries FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.retries AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.retries AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (state, tries, cause, next_at, ending, ended_at, due_at) ON payment.retries TO payment_app;
GRANT SELECT, UPDATE ON payment.retries TO payment_queue;

CREATE TABLE payment.risk_entries (
  merchant_account_id payment.id24 NOT NULL,
  subject bytea NOT NULL,
  id payment.id24 NOT NULL,
  kind text NOT NULL,
  verdict text NOT NULL,
  shown text NOT NULL,
  note text,
  by_name text NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  until timestamp with time zone,
  shown_sealed bytea,
  CONSTRAINT risk_entries_by_name_has_a_length CHECK (length(by_name) >= 1 AND length(by_name) <= 254),
  CONSTRAINT risk_entries_card_is_shown_sealed CHECK (kind <> 'card'::text OR shown = ''::text AND shown_sealed IS NOT NULL),
  CONSTRAINT risk_entries_pkey PRIMARY KEY (merchant_account_id, subject),
  CONSTRAINT risk_entries_subject_is_16_bytes CHECK (octet_length(subject) = 16),
  CONSTRAINT risk_entries_verdict_is_known CHECK (verdict = ANY (ARRAY['block'::text, 'allow'::text]))
);
CREATE INDEX risk_entries_open_cards ON payment.risk_entries USING btree (merchant_account_id) WHERE kind = 'card'::text AND shown <> ''::text;
CREATE UNIQUE INDEX risk_entries_by_id ON payment.risk_entries USING btree (merchant_account_id, id);
ALTER TABLE payment.risk_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.risk_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.risk_entries AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.risk_entries AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (id, kind, verdict, shown, note, by_name, at, until, shown_sealed) ON payment.risk_entries TO payment_app;
GRANT SELECT, UPDATE (shown, shown_sealed) ON payment.risk_entries TO payment_queue;

CREATE TABLE payment.risk_sightings (
  merchant_account_id payment.id24 NOT NULL,
  subject bytea NOT NULL,
  at timestamp with time zone NOT NULL,
  transaction_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  CONSTRAINT risk_sightings_pkey PRIMARY KEY (merchant_account_id, subject, at, transaction_id),
  CONSTRAINT risk_sightings_subject_is_16_bytes CHECK (octet_length(subject) = 16)
);
ALTER TABLE payment.risk_sightings ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX risk_sightings_age ON payment.risk_sightings USING btree (at);
ALTER TABLE payment.risk_sightings ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.risk_sightings FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.risk_sightings AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.risk_sightings AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON payment.risk_sightings TO payment_app;
GRANT DELETE, SELECT ON payment.risk_sightings TO payment_queue;

CREATE TABLE payment.risk_versions (
  merchant_account_id payment.id24 NOT NULL,
  version integer NOT NULL,
  rules json NOT NULL,
  rolled_back_to integer,
  by_name text NOT NULL,
  note text,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT risk_versions_by_name_has_a_length CHECK (length(by_name) >= 1 AND length(by_name) <= 254),
  CONSTRAINT risk_versions_pkey PRIMARY KEY (merchant_account_id, version),
  CONSTRAINT risk_versions_version_is_positive CHECK (version > 0)
);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.risk_versions FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.risk_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.risk_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.risk_versions AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.risk_versions AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT ON payment.risk_versions TO payment_app;

CREATE TABLE payment.roles (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  name text NOT NULL,
  rights text[] NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT roles_name_has_a_length CHECK (length(name) >= 1 AND length(name) <= 40),
  CONSTRAINT roles_pkey PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT roles_rights_hold_read CHECK ('read'::text = ANY (rights))
);
CREATE UNIQUE INDEX roles_name_once ON payment.roles USING btree (merchant_account_id, lower(name));
ALTER TABLE payment.roles ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.roles FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.roles AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.roles AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (name, rights) ON payment.roles TO payment_app;
GRANT SELECT ON payment.roles TO payment_queue;

CREATE TABLE payment.route_counts (
  merchant_account_id payment.id24 NOT NULL,
  hour integer NOT NULL,
  rule text NOT NULL,
  since integer NOT NULL,
  cell text NOT NULL,
  contract_id payment.id24 NOT NULL,
  controlled boolean NOT NULL,
  tried integer NOT NULL,
  approved integer NOT NULL,
  amount_minor numeric NOT NULL,
  mix json,
  CONSTRAINT route_counts_add_up CHECK (approved >= 0 AND approved <= tried),
  CONSTRAINT route_counts_pkey PRIMARY KEY (merchant_account_id, hour, rule, since, cell, contract_id, controlled)
);
ALTER TABLE payment.route_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.route_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.route_counts AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.route_counts AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON payment.route_counts TO payment_app;

CREATE TABLE payment.route_versions (
  merchant_account_id payment.id24 NOT NULL,
  version integer NOT NULL,
  rules json NOT NULL,
  rolled_back_to integer,
  by_name text NOT NULL,
  note text,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  rule_names jsonb NOT NULL GENERATED ALWAYS AS (jsonb_path_query_array((rules)::jsonb, '$."rules"[*]."name"'::jsonpath)) STORED,
  contracts json GENERATED ALWAYS AS ((rules -> 'contracts'::text)) STORED,
  cascade smallint GENERATED ALWAYS AS (((rules ->> 'cascade'::text))::smallint) STORED,
  CONSTRAINT route_versions_by_name_has_a_length CHECK (length(by_name) >= 1 AND length(by_name) <= 254),
  CONSTRAINT route_versions_pkey PRIMARY KEY (merchant_account_id, version),
  CONSTRAINT route_versions_version_is_positive CHECK (version > 0)
);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.route_versions FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.route_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.route_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.route_versions AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.route_versions AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT ON payment.route_versions TO payment_app;

CREATE TABLE payment.route_weights (
  merchant_account_id payment.id24 NOT NULL,
  version integer NOT NULL,
  weights json NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT route_weights_pkey PRIMARY KEY (merchant_account_id, version),
  CONSTRAINT route_weights_version_is_positive CHECK (version > 0)
);
CREATE TRIGGER keep BEFORE UPDATE OR TRUNCATE ON payment.route_weights FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.route_weights ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.route_weights FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.route_weights AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.route_weights AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON payment.route_weights TO payment_app;

CREATE TABLE payment.rulings (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  operation_id payment.id24 NOT NULL,
  ruling text NOT NULL,
  reason text NOT NULL,
  provider_ref text,
  by_name text NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  person_id bytea,
  CONSTRAINT rulings_by_name_has_a_length CHECK (length(by_name) >= 1 AND length(by_name) <= 254),
  CONSTRAINT rulings_pkey PRIMARY KEY (operation_id, id),
  CONSTRAINT rulings_reason_has_a_length CHECK (length(reason) >= 1 AND length(reason) <= 1000),
  CONSTRAINT rulings_ruling_is_known CHECK (ruling = ANY (ARRAY['done'::text, 'not-done'::text]))
);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.rulings FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.rulings ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.rulings FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.rulings AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.rulings AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT ON payment.rulings TO payment_app;
GRANT SELECT ON payment.rulings TO payment_queue;

CREATE TABLE payment.saved_card_tokens (
  merchant_account_id payment.id24 NOT NULL,
  token_hash bytea NOT NULL,
  customer_id text NOT NULL,
  card_digest bytea NOT NULL,
  CONSTRAINT saved_card_tokens_card_digest_is_32_bytes CHECK (octet_length(card_digest) = 32),
  CONSTRAINT saved_card_tokens_pkey PRIMARY KEY (merchant_account_id, token_hash, customer_id),
  CONSTRAINT saved_card_tokens_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX saved_card_tokens_by_item ON payment.saved_card_tokens USING btree (merchant_account_id, customer_id, card_digest);
CREATE INDEX saved_card_tokens_old_cards ON payment.saved_card_tokens USING btree (merchant_account_id, card_digest) WHERE octet_length(card_digest) = 16;
ALTER TABLE payment.saved_card_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.saved_card_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.saved_card_tokens AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.saved_card_tokens AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON payment.saved_card_tokens TO payment_app;
GRANT SELECT, UPDATE (card_digest) ON payment.saved_card_tokens TO payment_queue;

CREATE TABLE payment.saved_cards (
  merchant_account_id payment.id24 NOT NULL,
  customer_id text NOT NULL,
  card_digest bytea NOT NULL,
  id payment.id24 NOT NULL,
  token_hash bytea NOT NULL,
  token_sealed bytea NOT NULL,
  scheme text NOT NULL,
  first6 character(6) NOT NULL,
  last4 character(4) NOT NULL,
  exp_month smallint NOT NULL,
  exp_year smallint NOT NULL,
  uses integer NOT NULL DEFAULT 0,
  last_used_at timestamp with time zone,
  saved_at timestamp with time zone NOT NULL,
  CONSTRAINT saved_cards_card_digest_is_32_bytes CHECK (octet_length(card_digest) = 32),
  CONSTRAINT saved_cards_pkey PRIMARY KEY (merchant_account_id, customer_id, card_digest),
  CONSTRAINT saved_cards_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32)
) WITH (fillfactor=80);
ALTER TABLE payment.saved_cards ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX saved_cards_old_cards ON payment.saved_cards USING btree (merchant_account_id, card_digest) WHERE octet_length(card_digest) = 16;
ALTER TABLE payment.saved_cards ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.saved_cards FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.saved_cards AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.saved_cards AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (token_hash, token_sealed, scheme, exp_month, exp_year, uses, last_used_at, saved_at) ON payment.saved_cards TO payment_app;
GRANT SELECT, UPDATE (card_digest) ON payment.saved_cards TO payment_queue;

CREATE TABLE payment.saved_views (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  person_id payment.id24 NOT NULL,
  name text NOT NULL,
  filters jsonb NOT NULL,
  shared boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT saved_views_name_has_a_length CHECK (length(name) >= 1 AND length(name) <= 60),
  CONSTRAINT saved_views_pkey PRIMARY KEY (id)
);
CREATE INDEX saved_views_by_account ON payment.saved_views USING btree (merchant_account_id);
ALTER TABLE payment.saved_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.saved_views FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.saved_views AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.saved_views AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (name, filters, shared) ON payment.saved_views TO payment_app;

CREATE TABLE payment.scheme_caps (
  version integer NOT NULL,
  as_of date NOT NULL,
  rows json NOT NULL,
  by_name text NOT NULL,
  note text NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT scheme_caps_by_name_has_a_length CHECK (length(by_name) >= 1 AND length(by_name) <= 254),
  CONSTRAINT scheme_caps_pkey PRIMARY KEY (version),
  CONSTRAINT scheme_caps_version_is_positive CHECK (version > 0)
);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.scheme_caps FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
GRANT INSERT, SELECT ON payment.scheme_caps TO payment_app;

CREATE TABLE payment.search_words (
  merchant_account_id payment.id24 NOT NULL,
  word text COLLATE "C" NOT NULL,
  by_email boolean NOT NULL,
  person bigint NOT NULL,
  CONSTRAINT search_words_pkey PRIMARY KEY (merchant_account_id, word, by_email, person)
);
ALTER TABLE payment.search_words ALTER COLUMN merchant_account_id SET (n_distinct=1);
ALTER TABLE payment.search_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.search_words FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.search_words AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.search_words AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON payment.search_words TO payment_queue;
GRANT SELECT ON payment.search_words TO payment_app;

CREATE TABLE payment.secret_key (
  one boolean NOT NULL DEFAULT true,
  check_value bytea NOT NULL,
  first_used_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT secret_key_check_value_is_32_bytes CHECK (octet_length(check_value) = 32),
  CONSTRAINT secret_key_one_row CHECK (one),
  CONSTRAINT secret_key_pkey PRIMARY KEY (one)
);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.secret_key FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
GRANT INSERT, SELECT ON payment.secret_key TO payment_app;

CREATE TABLE payment.sessions (
  digest bytea NOT NULL,
  id payment.id24 NOT NULL,
  person_id payment.id24 NOT NULL,
  account_id payment.id24,
  stage text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  source text NOT NULL,
  browser text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  proved_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  sign_on_account payment.id24,
  sign_out_url text,
  shut_accounts bytea[] NOT NULL DEFAULT '{}'::bytea[],
  CONSTRAINT sessions_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  CONSTRAINT sessions_id_key UNIQUE (id),
  CONSTRAINT sessions_pkey PRIMARY KEY (digest),
  CONSTRAINT sessions_stage_is_known CHECK (stage = ANY (ARRAY['totp'::text, 'in'::text]))
);
CREATE INDEX sessions_by_person ON payment.sessions USING btree (person_id);
GRANT DELETE, INSERT, SELECT, UPDATE (account_id, tries, seen_at, proved_at, shut_accounts) ON payment.sessions TO payment_app;

CREATE TABLE payment.settled_fees (
  merchant_account_id payment.id24 NOT NULL,
  operation_id payment.id24 NOT NULL,
  entry text NOT NULL,
  order_id payment.id24 NOT NULL,
  provider text NOT NULL,
  fee_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  read_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT settled_fees_entry_has_a_length CHECK (length(entry) >= 1 AND length(entry) <= 200),
  CONSTRAINT settled_fees_pkey PRIMARY KEY (merchant_account_id, operation_id, entry)
);
ALTER TABLE payment.settled_fees ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.settled_fees FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.settled_fees ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.settled_fees FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.settled_fees AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.settled_fees AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT ON payment.settled_fees TO payment_app;

CREATE TABLE payment.settled_lines (
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  provider text NOT NULL,
  what text NOT NULL,
  reference payment.id24 NOT NULL,
  sent_back boolean NOT NULL,
  provider_ref text NOT NULL,
  entry text NOT NULL,
  source text NOT NULL,
  read_at timestamp with time zone NOT NULL DEFAULT payment.now(),
  CONSTRAINT settled_lines_pkey PRIMARY KEY (merchant_account_id, order_id, provider, what, reference, sent_back, provider_ref, entry)
);
ALTER TABLE payment.settled_lines ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.settled_lines FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.settled_lines ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.settled_lines FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.settled_lines AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
GRANT INSERT, SELECT ON payment.settled_lines TO payment_app;

CREATE TABLE payment.sign_on (
  merchant_account_id payment.id24 NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  secret_sealed bytea NOT NULL,
  passwords boolean NOT NULL,
  new_role text,
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT sign_on_issuer_has_a_length CHECK (length(issuer) >= 1 AND length(issuer) <= 2000),
  CONSTRAINT sign_on_new_role_is_known CHECK (new_role = ANY (ARRAY['administrator'::text, 'developer'::text, 'operator'::text, 'reader'::text])),
  CONSTRAINT sign_on_pkey PRIMARY KEY (merchant_account_id)
);
ALTER TABLE payment.sign_on ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.sign_on FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.sign_on AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.sign_on AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT, UPDATE (issuer, client_id, secret_sealed, passwords, new_role, updated_at) ON payment.sign_on TO payment_app;
GRANT SELECT ON payment.sign_on TO payment_queue;

CREATE TABLE payment.sign_on_attempts (
  digest bytea NOT NULL,
  account_id payment.id24 NOT NULL,
  issuer text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT sign_on_attempts_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  CONSTRAINT sign_on_attempts_pkey PRIMARY KEY (digest)
);
CREATE INDEX sign_on_attempts_by_age ON payment.sign_on_attempts USING btree (created_at);
GRANT DELETE, INSERT, SELECT ON payment.sign_on_attempts TO payment_app;

CREATE TABLE payment.sign_on_domains (
  domain text NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  CONSTRAINT sign_on_domains_domain_is_small_letters CHECK (domain = lower(domain) AND length(domain) >= 3 AND length(domain) <= 253),
  CONSTRAINT sign_on_domains_pkey PRIMARY KEY (domain)
);
CREATE INDEX sign_on_domains_by_account ON payment.sign_on_domains USING btree (merchant_account_id);
ALTER TABLE payment.sign_on_domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.sign_on_domains FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.sign_on_domains AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.sign_on_domains AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT DELETE, INSERT, SELECT ON payment.sign_on_domains TO payment_app;
GRANT SELECT ON payment.sign_on_domains TO payment_queue;

CREATE TABLE payment.sign_on_people (
  merchant_account_id payment.id24 NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id payment.id24 NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT sign_on_people_merchant_account_id_issuer_person_id_key UNIQUE (merchant_account_id, issuer, person_id),
  CONSTRAINT sign_on_people_pkey PRIMARY KEY (merchant_account_id, issuer, subject)
);
ALTER TABLE payment.sign_on_people ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.sign_on_people FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.sign_on_people AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
GRANT DELETE, INSERT, SELECT ON payment.sign_on_people TO payment_app;

CREATE TABLE payment.transactions (
  id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  attempt smallint NOT NULL DEFAULT 1,
  cascade_of payment.id24,
  provider text NOT NULL,
  contract_id payment.id24,
  token_hash bytea,
  token_type text,
  payment_method_name text NOT NULL,
  card_digest bytea,
  first6 character(6),
  last4 character(4),
  exp_month smallint,
  exp_year smallint,
  risk_score smallint,
  dead boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL,
  risk json,
  network_token boolean NOT NULL DEFAULT false,
  decline json,
  held json,
  route json,
  fingerprint bytea,
  otherwise json,
  CONSTRAINT transactions_card_digest_is_32_bytes CHECK (octet_length(card_digest) = 32),
  CONSTRAINT transactions_fingerprint_is_16_bytes CHECK (octet_length(fingerprint) = 16),
  CONSTRAINT transactions_pkey PRIMARY KEY (order_id, attempt),
  CONSTRAINT transactions_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32),
  CONSTRAINT transactions_token_type_is_known CHECK (token_type = ANY (ARRAY['oneshot'::text, 'recurring'::text]))
) WITH (fillfactor=90);
ALTER TABLE payment.transactions ALTER COLUMN merchant_account_id SET (n_distinct=1);
CREATE INDEX transactions_by_id ON payment.transactions USING brin (id) WITH (pages_per_range='64', autosummarize='on');
CREATE INDEX transactions_by_recurring_token ON payment.transactions USING btree (merchant_account_id, token_hash) WHERE token_type = 'recurring'::text;
CREATE INDEX transactions_held ON payment.transactions USING btree (merchant_account_id, created_at) WHERE held IS NOT NULL;
CREATE INDEX transactions_old_cards ON payment.transactions USING btree (merchant_account_id, card_digest) WHERE octet_length(card_digest) = 16;
CREATE UNIQUE INDEX one_live_attempt ON payment.transactions USING btree (order_id) WHERE NOT dead;
CREATE UNIQUE INDEX one_shot_once ON payment.transactions USING btree (merchant_account_id, token_hash) WHERE token_type = 'oneshot'::text AND cascade_of IS NULL;
ALTER TABLE payment.transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.transactions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.transactions AS PERMISSIVE FOR ALL TO payment_app
  USING (((merchant_account_id)::bytea = payment.tenant()))
  WITH CHECK (((merchant_account_id)::bytea = payment.tenant()));
CREATE POLICY queue ON payment.transactions AS PERMISSIVE FOR ALL TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE (provider, contract_id, risk_score, dead, decline, held, route, otherwise) ON payment.transactions TO payment_app;
GRANT SELECT, UPDATE (card_digest) ON payment.transactions TO payment_queue;

CREATE UNLOGGED TABLE payment.counts (
  name bytea NOT NULL,
  process payment.id24 NOT NULL,
  counted integer NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT counts_name_is_16_bytes CHECK (octet_length(name) = 16),
  CONSTRAINT counts_pkey PRIMARY KEY (name, process)
);
CREATE INDEX counts_until ON payment.counts USING btree (until);
GRANT DELETE, INSERT, SELECT, UPDATE ON payment.counts TO payment_app;

CREATE UNLOGGED TABLE payment.decline_counts (
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  family text NOT NULL,
  contract_id payment.id24 NOT NULL,
  provider text NOT NULL,
  seen integer NOT NULL,
  bad integer NOT NULL
);
CREATE INDEX decline_counts_by_time ON payment.decline_counts USING btree (at);
GRANT DELETE, INSERT, SELECT ON payment.decline_counts TO payment_app;

CREATE UNLOGGED TABLE payment.health_counts (
  at timestamp with time zone NOT NULL DEFAULT payment.now(),
  provider text NOT NULL,
  seen integer NOT NULL,
  bad integer NOT NULL,
  slow integer NOT NULL
);
CREATE INDEX health_counts_by_time ON payment.health_counts USING btree (at);
GRANT DELETE, INSERT, SELECT ON payment.health_counts TO payment_app;

CREATE UNLOGGED TABLE payment.processes (
  id payment.id24 NOT NULL,
  beat_at timestamp with time zone NOT NULL,
  CONSTRAINT processes_pkey PRIMARY KEY (id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON payment.processes TO payment_app;

CREATE TABLE payment.observations_default PARTITION OF payment.observations DEFAULT;
CREATE TRIGGER keep BEFORE DELETE OR UPDATE OR TRUNCATE ON payment.observations_default FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.observations_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.observations_default FORCE ROW LEVEL SECURITY;
CREATE POLICY keeper ON payment.observations_default AS PERMISSIVE FOR ALL TO florin_owner
  USING (true)
  WITH CHECK (true);

\ir functions/claim_operations.sql
\ir functions/order_facts.sql

ALTER TABLE payment.api_keys
  ADD CONSTRAINT api_keys_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.contract_fees
  ADD CONSTRAINT contract_fees_contract_id_fkey FOREIGN KEY (contract_id) REFERENCES payment.contracts(id);
ALTER TABLE payment.contracts
  ADD CONSTRAINT contracts_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.endpoints
  ADD CONSTRAINT endpoints_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.invitations
  ADD CONSTRAINT invitations_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.known_networks
  ADD CONSTRAINT known_networks_person_id_fkey FOREIGN KEY (person_id) REFERENCES payment.people(id);
ALTER TABLE payment.late_checkouts
  ADD CONSTRAINT late_checkouts_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.members
  ADD CONSTRAINT members_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.members
  ADD CONSTRAINT members_merchant_account_id_role_id_fkey FOREIGN KEY (merchant_account_id, role_id) REFERENCES payment.roles(merchant_account_id, id);
ALTER TABLE payment.members
  ADD CONSTRAINT members_person_id_fkey FOREIGN KEY (person_id) REFERENCES payment.people(id);
ALTER TABLE payment.network_references
  ADD CONSTRAINT network_references_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.passkeys
  ADD CONSTRAINT passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES payment.people(id);
ALTER TABLE payment.payment_links
  ADD CONSTRAINT payment_links_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.recovery_codes
  ADD CONSTRAINT recovery_codes_person_id_fkey FOREIGN KEY (person_id) REFERENCES payment.people(id);
ALTER TABLE payment.refund_requests
  ADD CONSTRAINT refund_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES payment.people(id);
ALTER TABLE payment.refund_requests
  ADD CONSTRAINT refund_requests_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.refund_requests
  ADD CONSTRAINT refund_requests_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES payment.people(id);
ALTER TABLE payment.roles
  ADD CONSTRAINT roles_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.sessions
  ADD CONSTRAINT sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES payment.people(id);
ALTER TABLE payment.sign_on
  ADD CONSTRAINT sign_on_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.sign_on_domains
  ADD CONSTRAINT sign_on_domains_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.sign_on(merchant_account_id) ON DELETE CASCADE;
ALTER TABLE payment.sign_on_people
  ADD CONSTRAINT sign_on_people_merchant_account_id_fkey FOREIGN KEY (merchant_account_id) REFERENCES payment.merchant_accounts(merchant_account_id);
ALTER TABLE payment.sign_on_people
  ADD CONSTRAINT sign_on_people_person_id_fkey FOREIGN KEY (person_id) REFERENCES payment.people(id);

GRANT USAGE ON SCHEMA payment TO payment_app;
GRANT USAGE ON SCHEMA payment TO payment_queue;
