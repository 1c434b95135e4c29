-- Roles of one's own. A role is a name that there always is, or the id of one of the account's own:
-- role_id follows from the text, and as long as somebody has a role it stays.
\ir ../tables/roles.sql

ALTER TABLE payment.members
  DROP CONSTRAINT members_role_is_known,
  ADD COLUMN role_id payment.id24 GENERATED ALWAYS AS (
    CASE WHEN role ~ '^[0-9a-f]{24}$' THEN decode(role, 'hex') END
  ) STORED,
  ADD CONSTRAINT members_role_is_known CHECK (
    role_id IS NOT NULL
    OR role IN ('owner', 'administrator', 'developer', 'operator', 'reader')
  ),
  ADD FOREIGN KEY (merchant_account_id, role_id) REFERENCES payment.roles;

CREATE INDEX members_by_role ON payment.members (merchant_account_id, role_id);

-- who was invited once keeps the text of a role that is gone
ALTER TABLE payment.invitations
  DROP CONSTRAINT invitations_role_is_known,
  ADD COLUMN role_id payment.id24 GENERATED ALWAYS AS (
    CASE WHEN role ~ '^[0-9a-f]{24}$' THEN decode(role, 'hex') END
  ) STORED,
  ADD CONSTRAINT invitations_role_is_known CHECK (
    role_id IS NOT NULL
    OR role IN ('owner', 'administrator', 'developer', 'operator', 'reader')
  );

DROP FUNCTION IF EXISTS payment.accounts_of_person(bytea);
DROP FUNCTION IF EXISTS payment.invitation_of_link(bytea);
