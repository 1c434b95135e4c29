-- Who is who among people, where two of them must agree; and places from which a person has signed in before.

-- Since when somebody is a member, by the clock of the deployment (a sandbox's may be moved); NULL: since created_at.
ALTER TABLE payment.members
  ADD since timestamptz;
ALTER TABLE payment.members
  ALTER since SET DEFAULT payment.now();

-- Who invited whom, by person. It stays when somebody leaves: a line of invitations is not cut by removing its middle.
ALTER TABLE payment.invitations
  ADD inviter_id bytea,
  ADD accepted_by bytea;
ALTER TABLE payment.invitations NO FORCE ROW LEVEL SECURITY;
UPDATE payment.invitations i
SET
  inviter_id = (SELECT p.id FROM payment.people p WHERE p.email = i.invited_by),
  accepted_by = CASE WHEN i.accepted_at IS NOT NULL THEN (SELECT p.id FROM payment.people p WHERE p.email = i.email) END;
ALTER TABLE payment.invitations FORCE ROW LEVEL SECURITY;
GRANT UPDATE (accepted_by) ON payment.invitations TO payment_app;

-- When the person of a session last proved who they are: by password, and by the second factor where there is one.
ALTER TABLE payment.sessions
  ADD proved_at timestamptz NOT NULL DEFAULT clock_timestamp();
GRANT UPDATE (proved_at) ON payment.sessions TO payment_app;

-- What a person proves themselves with at the command line: the hash of a secret of 256 random bits.
ALTER TABLE payment.people
  ADD command_digest bytea CHECK (octet_length(command_digest) = 32);
GRANT UPDATE (command_digest) ON payment.people TO payment_app;

-- Who ruled, where they proved it; NULL: a name that was given at the command line.
ALTER TABLE payment.rulings
  ADD person_id bytea;

-- Networks (an IPv4 address, an IPv6 /64) from which a person has signed in. Each has failures and a lock of its own, so that
-- whoever tries passwords from elsewhere locks out elsewhere only.
CREATE TABLE payment.known_networks (
  person_id payment.id24 NOT NULL REFERENCES payment.people,
  network text NOT NULL CHECK (length(network) BETWEEN 1 AND 64),
  failures int NOT NULL DEFAULT 0,
  locked_until timestamptz,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (person_id, network)
);
GRANT SELECT, INSERT, DELETE ON payment.known_networks TO payment_app;
GRANT UPDATE (failures, locked_until, seen_at) ON payment.known_networks TO payment_app;

-- When a try from a network that is not known last failed.
ALTER TABLE payment.people
  ADD failed_at timestamptz;
GRANT UPDATE (failed_at) ON payment.people TO payment_app;

-- An address whose person is a member of nothing any more is free for another one.
GRANT UPDATE (email) ON payment.people TO payment_app;

-- as before, with who invited
DROP FUNCTION payment.invitation_of_link(bytea);
CREATE FUNCTION payment.invitation_of_link(presented bytea)
RETURNS TABLE (
  id bytea,
  merchant_account_id bytea,
  account_name text,
  email text,
  role text,
  invited_by text,
  expires_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT
    i.id,
    i.merchant_account_id,
    a.name,
    i.email,
    i.role,
    i.invited_by,
    i.expires_at
  FROM invitations i
  JOIN merchant_accounts a USING (merchant_account_id)
  WHERE i.digest = presented
    AND i.accepted_at IS NULL
    AND i.withdrawn_at IS NULL
    AND i.expires_at > clock_timestamp()
$$;

GRANT CREATE ON SCHEMA payment TO payment_queue;
ALTER FUNCTION payment.invitation_of_link(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.invitation_of_link(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.invitation_of_link(bytea) TO payment_app;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
