-- Invitations into an account. Only the hash of the link is kept.
CREATE TABLE payment.invitations (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  digest bytea NOT NULL UNIQUE
    CONSTRAINT invitations_digest_is_32_bytes CHECK (octet_length(digest) = 32),
  email text,
  role text NOT NULL
    CONSTRAINT invitations_role_is_known CHECK (role IN (
      'owner', 'administrator', 'developer', 'operator', 'reader'
    )),
  invited_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  -- who invited whom, by person. It stays when somebody leaves: a line of invitations is not cut by
  -- removing its middle
  inviter_id bytea,
  accepted_by bytea,

  CONSTRAINT invitations_only_owner_without_email CHECK (email IS NOT NULL OR role = 'owner')
);

CREATE INDEX invitations_by_account ON payment.invitations (merchant_account_id);

ALTER TABLE payment.invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.invitations FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.invitations TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.invitations TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.invitations TO payment_app;
GRANT UPDATE (accepted_at, withdrawn_at, accepted_by) ON payment.invitations TO payment_app;
GRANT SELECT ON payment.invitations TO payment_queue;
