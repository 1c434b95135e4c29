-- Customers and their saved cards (contract 9, vault.md 3). A token is kept sealed under the money zone's own key, because it is
-- listed to its merchant; everywhere else its SHA-256 stands for it.
CREATE TABLE payment.customers (
  merchant_account_id payment.id24 NOT NULL, customer_id text NOT NULL CHECK (length(customer_id) BETWEEN 1 AND 255), id payment.id24 NOT NULL,
  browser jsonb NOT NULL DEFAULT '{}', ip text, version int NOT NULL DEFAULT 0, next_seq int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT payment.now(), updated_at timestamptz NOT NULL DEFAULT payment.now(),
  PRIMARY KEY (merchant_account_id, customer_id)) WITH (fillfactor = 80);
-- An order of a customer that is not counted yet: written in the commit that accepts the order, deleted in the commit that
-- counts it (docs/decisions/0023). token_sealed: the order is to save its card.
CREATE TABLE payment.customer_orders (
  merchant_account_id payment.id24 NOT NULL, customer_id text NOT NULL, order_id payment.id24 NOT NULL,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32), token_sealed bytea, created_at timestamptz NOT NULL DEFAULT payment.now(),
  PRIMARY KEY (merchant_account_id, customer_id, order_id, token_hash));
CREATE TABLE payment.customer_methods (
  merchant_account_id payment.id24 NOT NULL, customer_id text NOT NULL, name text NOT NULL, uses int NOT NULL CHECK (uses > 0),
  last_used_at timestamptz NOT NULL, PRIMARY KEY (merchant_account_id, customer_id, name)) WITH (fillfactor = 80);
CREATE TABLE payment.saved_cards (
  merchant_account_id payment.id24 NOT NULL, customer_id text NOT NULL, card_unique_id uuid NOT NULL, id payment.id24 NOT NULL,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32), token_sealed bytea NOT NULL, scheme text NOT NULL, first6 char(6) NOT NULL,
  last4 char(4) NOT NULL, exp_month smallint NOT NULL, exp_year smallint NOT NULL, uses int NOT NULL DEFAULT 0, last_used_at timestamptz,
  saved_at timestamptz NOT NULL, PRIMARY KEY (merchant_account_id, customer_id, card_unique_id)) WITH (fillfactor = 80);
CREATE TABLE payment.saved_card_tokens (   -- every token of an item, the newest and the older ones: removal ends them all
  merchant_account_id payment.id24 NOT NULL, token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32), customer_id text NOT NULL,
  card_unique_id uuid NOT NULL, PRIMARY KEY (merchant_account_id, token_hash, customer_id));
CREATE INDEX saved_card_tokens_by_item ON payment.saved_card_tokens (merchant_account_id, customer_id, card_unique_id);
CREATE TABLE payment.card_removals (       -- tokens that are no longer good, until the vault has deleted their cards
  merchant_account_id payment.id24 NOT NULL, token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32), requested_at timestamptz NOT NULL DEFAULT payment.now(),
  tries int NOT NULL DEFAULT 0, due_at timestamptz NOT NULL DEFAULT payment.now(), PRIMARY KEY (merchant_account_id, token_hash));
CREATE INDEX card_removals_due ON payment.card_removals (due_at);

-- may a card be deleted, or does an order under way still need it?
CREATE INDEX transactions_by_recurring_token ON payment.transactions (merchant_account_id, token_hash) WHERE token_type = 'recurring';
-- a subscription is known by the checkout that made it (contract 11)
CREATE INDEX checkouts_by_subscription ON payment.checkouts (merchant_account_id, (body ->> 'subscription_id')) WHERE body ->> 'subscription_id' IS NOT NULL;

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY string_to_array('customers customer_orders customer_methods saved_cards saved_card_tokens card_removals', ' ') LOOP
    EXECUTE format('ALTER TABLE payment.%1$I ENABLE ROW LEVEL SECURITY; ALTER TABLE payment.%1$I FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON payment.%1$I TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
      CREATE POLICY queue ON payment.%1$I TO payment_queue USING (true) WITH CHECK (true); GRANT SELECT, INSERT ON payment.%1$I TO payment_app', t);
  END LOOP; END $$;
GRANT UPDATE (browser, ip, version, next_seq, updated_at) ON payment.customers TO payment_app;
GRANT UPDATE (token_sealed), DELETE ON payment.customer_orders TO payment_app;
GRANT UPDATE (uses, last_used_at) ON payment.customer_methods TO payment_app;
GRANT UPDATE (token_hash, token_sealed, scheme, exp_month, exp_year, uses, last_used_at, saved_at), DELETE ON payment.saved_cards TO payment_app;
GRANT DELETE ON payment.saved_card_tokens TO payment_app;
GRANT UPDATE (tries, due_at), DELETE ON payment.card_removals TO payment_app;
GRANT SELECT, UPDATE ON payment.card_removals TO payment_queue;

CREATE FUNCTION payment.claim_removals(room int, lease interval) RETURNS TABLE (merchant_account_id bytea, token_hash bytea, tries int)
LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH due AS MATERIALIZED (
    SELECT r.merchant_account_id, r.token_hash FROM card_removals r
    WHERE r.due_at <= (SELECT payment.now()) ORDER BY r.due_at LIMIT room FOR UPDATE OF r SKIP LOCKED)
  UPDATE card_removals r SET tries = r.tries + 1, due_at = payment.now() + lease FROM due
  WHERE r.merchant_account_id = due.merchant_account_id AND r.token_hash = due.token_hash RETURNING r.merchant_account_id, r.token_hash, r.tries $$;
GRANT CREATE ON SCHEMA payment TO payment_queue;
ALTER FUNCTION payment.claim_removals(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.claim_removals(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.claim_removals(int, interval) TO payment_app;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
