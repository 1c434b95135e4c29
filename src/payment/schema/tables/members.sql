-- Who has which role in an account.
CREATE TABLE payment.members (
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  person_id payment.id24 NOT NULL REFERENCES payment.people,
  role text NOT NULL
    CONSTRAINT members_role_is_known CHECK (role IN (
      'owner', 'administrator', 'developer', 'operator', 'reader'
    )),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- by the clock of the deployment, which in a sandbox may be moved; NULL: since created_at
  since timestamptz DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, person_id)
);

CREATE INDEX members_by_person ON payment.members (person_id);

ALTER TABLE payment.members ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.members FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.members TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.members TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.members TO payment_app;
GRANT UPDATE (role) ON payment.members TO payment_app;
GRANT SELECT ON payment.members TO payment_queue;
