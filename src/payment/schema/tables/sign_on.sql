-- Single sign-on of an account: where its people prove who they are.
CREATE TABLE payment.sign_on (
  merchant_account_id payment.id24 PRIMARY KEY REFERENCES payment.merchant_accounts,
  issuer text NOT NULL CONSTRAINT sign_on_issuer_has_a_length CHECK (length(issuer) BETWEEN 1 AND 2000),
  client_id text NOT NULL,
  secret_sealed bytea NOT NULL,
  -- people who are no owners may also come in by password or passkey
  passwords boolean NOT NULL,
  -- of somebody whom nobody invited; NULL: they are refused
  new_role text CONSTRAINT sign_on_new_role_is_known CHECK (new_role IN (
    'administrator', 'developer', 'operator', 'reader'
  )),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

ALTER TABLE payment.sign_on ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.sign_on FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.sign_on TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.sign_on TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.sign_on TO payment_app;
GRANT UPDATE (issuer, client_id, secret_sealed, passwords, new_role, updated_at)
  ON payment.sign_on TO payment_app;
GRANT SELECT ON payment.sign_on TO payment_queue;
