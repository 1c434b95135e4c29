-- Roles that an account made of the rights there are, beside those that there always are.
CREATE TABLE payment.roles (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  name text NOT NULL CONSTRAINT roles_name_has_a_length CHECK (length(name) BETWEEN 1 AND 40),
  rights text[] NOT NULL CONSTRAINT roles_rights_hold_read CHECK ('read' = ANY (rights)),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),

  PRIMARY KEY (merchant_account_id, id)
);

-- two roles of one name would be taken for each other
CREATE UNIQUE INDEX roles_name_once ON payment.roles (merchant_account_id, lower(name));

ALTER TABLE payment.roles ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.roles FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.roles TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.roles TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.roles TO payment_app;
GRANT UPDATE (name, rights) ON payment.roles TO payment_app;
GRANT SELECT ON payment.roles TO payment_queue;
