-- Authentication of payers (contract 10, docs/decisions/0037): one row for each attempt that asks. It moves no money; what it
-- decides is whether, and with which evidence, the attempt's authorization is sent. The authentication value is never stored:
-- it goes from the bank's message into the one authorization that it is for.
CREATE TABLE payment.authentications (
  id payment.id24 NOT NULL, order_id payment.id24 NOT NULL, transaction_id payment.id24 NOT NULL, merchant_account_id payment.id24 NOT NULL, order_merchant_id text NOT NULL,
  demand text NOT NULL CHECK (demand IN ('ask_3ds','force_3ds','soft_decline')),
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested','method','challenge','successful','declined')),
  handle bytea NOT NULL CHECK (octet_length(handle) = 32),           -- of the payer's page
  partner text NOT NULL, version text, server_id text, acs_transaction_id text, acs_url text, method_url text,
  trans_status text, eci text, ds_transaction_id text, liability_shifted boolean NOT NULL DEFAULT false,
  code text, request_id payment.id24, created_at timestamptz NOT NULL, settled_at timestamptz, tries int NOT NULL DEFAULT 1, due_at timestamptz NOT NULL,
  CHECK ((state IN ('successful','declined')) = (settled_at IS NOT NULL)),
  PRIMARY KEY (order_id, transaction_id)) WITH (fillfactor = 70);
CREATE UNIQUE INDEX authentications_by_page ON payment.authentications (handle);
CREATE INDEX authentications_due ON payment.authentications (due_at) WHERE state IN ('requested','method','challenge');
CREATE INDEX authentications_waiting ON payment.authentications (merchant_account_id, order_merchant_id) WHERE state IN ('method','challenge');
ALTER TABLE payment.authentications ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.authentications FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.authentications TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.authentications TO payment_queue USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON payment.authentications TO payment_app;
GRANT UPDATE (state, version, server_id, acs_transaction_id, acs_url, method_url, trans_status, eci, ds_transaction_id, liability_shifted, code, settled_at, tries, due_at)
  ON payment.authentications TO payment_app;
GRANT SELECT ON payment.authentications TO payment_queue;
GRANT UPDATE (tries, due_at) ON payment.authentications TO payment_queue;

-- an authentication only ever goes forward, and what has ended stays as it ended
CREATE FUNCTION payment.authentication_step_ok(was text, becomes text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT was = becomes OR CASE was WHEN 'requested' THEN true WHEN 'method' THEN becomes <> 'requested' WHEN 'challenge' THEN becomes IN ('successful','declined') ELSE false END $$;
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.authentications FOR EACH ROW
  WHEN (NOT payment.authentication_step_ok(OLD.state, NEW.state)) EXECUTE FUNCTION payment.refuse('state change');

GRANT CREATE ON SCHEMA payment TO payment_queue;
-- a payer comes with nothing but the handle
CREATE FUNCTION payment.order_of_page(page bytea) RETURNS TABLE (merchant_account_id bytea, order_id bytea, transaction_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT merchant_account_id, order_id, transaction_id FROM authentications WHERE handle = page $$;
CREATE FUNCTION payment.claim_authentications(room int, lease interval) RETURNS TABLE (merchant_account_id bytea, order_id bytea, transaction_id bytea, tries int)
LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  WITH due AS MATERIALIZED (
    SELECT a.order_id, a.transaction_id FROM authentications a WHERE a.state IN ('requested','method','challenge') AND a.due_at <= (SELECT payment.now())
    ORDER BY a.due_at LIMIT room FOR UPDATE OF a SKIP LOCKED)
  UPDATE authentications a SET tries = a.tries + 1, due_at = payment.now() + lease FROM due WHERE a.order_id = due.order_id AND a.transaction_id = due.transaction_id
  RETURNING a.merchant_account_id, a.order_id, a.transaction_id, a.tries $$;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['order_of_page(bytea)', 'claim_authentications(int, interval)'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
