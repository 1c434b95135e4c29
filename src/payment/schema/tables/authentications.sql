-- Authentication of payers (docs/decisions/0037): one row for each attempt that asks. It moves no
-- money; what it decides is whether, and with which evidence, the authorization of the attempt is
-- sent. The authentication value is never stored: it goes from the bank's message into that one
-- authorization.
CREATE TABLE payment.authentications (
  id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_merchant_id text NOT NULL,
  demand text NOT NULL
    CONSTRAINT authentications_demand_is_known CHECK (demand IN (
      'ask_3ds', 'force_3ds', 'soft_decline'
    )),
  state text NOT NULL DEFAULT 'requested'
    CONSTRAINT authentications_state_is_known CHECK (state IN (
      'requested', 'method', 'challenge', 'successful', 'declined'
    )),
  -- of the payer's page
  handle bytea NOT NULL
    CONSTRAINT authentications_handle_is_32_bytes CHECK (octet_length(handle) = 32),
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
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  tries int NOT NULL DEFAULT 1,
  due_at timestamptz NOT NULL,

  CONSTRAINT authentications_settled_when_ended CHECK (
    (state IN ('successful', 'declined')) = (settled_at IS NOT NULL)
  ),
  PRIMARY KEY (order_id, transaction_id)
) WITH (fillfactor = 70);

CREATE UNIQUE INDEX authentications_by_page ON payment.authentications (handle);

CREATE INDEX authentications_due ON payment.authentications (due_at)
  WHERE state IN ('requested', 'method', 'challenge');

CREATE INDEX authentications_waiting
  ON payment.authentications (merchant_account_id, order_merchant_id)
  WHERE state IN ('method', 'challenge');

-- it only ever goes forward, and what has ended stays as it ended
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.authentications
  FOR EACH ROW WHEN (NOT payment.authentication_step_ok(OLD.state, NEW.state))
  EXECUTE FUNCTION payment.refuse('state change');

ALTER TABLE payment.authentications ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.authentications FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.authentications TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.authentications TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.authentications TO payment_app;
GRANT UPDATE (
  state, version, server_id, acs_transaction_id, acs_url, method_url, trans_status, eci,
  ds_transaction_id, liability_shifted, code, settled_at, tries, due_at
) ON payment.authentications TO payment_app;
GRANT SELECT ON payment.authentications TO payment_queue;
GRANT UPDATE (tries, due_at) ON payment.authentications TO payment_queue;
