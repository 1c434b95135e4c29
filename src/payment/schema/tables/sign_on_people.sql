-- Who somebody is at an account's provider of identities. An address may change or be another one's
-- later; the subject is not.
CREATE TABLE payment.sign_on_people (
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id payment.id24 NOT NULL REFERENCES payment.people,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),

  PRIMARY KEY (merchant_account_id, issuer, subject),
  UNIQUE (merchant_account_id, issuer, person_id)
);

ALTER TABLE payment.sign_on_people ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.sign_on_people FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.sign_on_people TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());

GRANT SELECT, INSERT, DELETE ON payment.sign_on_people TO payment_app;
