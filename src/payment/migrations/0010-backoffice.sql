-- The back office: people, their roles in merchant accounts, sessions, and the audit. People and sessions belong to the deployment;
-- what a person may do belongs to a merchant account. Times of people are those of the real clock: a sandbox's shifted one would end
-- every session and every code.
CREATE TABLE payment.people (
  id payment.id24 PRIMARY KEY, email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100), password text NOT NULL,
  totp_sealed bytea, totp_confirmed_at timestamptz, totp_step bigint NOT NULL DEFAULT 0,      -- the last step whose code was used: each is good once
  failures int NOT NULL DEFAULT 0, locked_until timestamptz, last_login_at timestamptz, created_at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE TABLE payment.recovery_codes (
  person_id payment.id24 NOT NULL REFERENCES payment.people, digest bytea NOT NULL CHECK (octet_length(digest) = 32), used_at timestamptz, PRIMARY KEY (person_id, digest));
CREATE TABLE payment.sessions (          -- only the hash of what the browser holds; totp: the password was right, the code is awaited
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32), id payment.id24 NOT NULL UNIQUE, person_id payment.id24 NOT NULL REFERENCES payment.people,
  account_id payment.id24,               -- the one the person is looking at
  stage text NOT NULL CHECK (stage IN ('totp','in')), tries int NOT NULL DEFAULT 0, source text NOT NULL, browser text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(), seen_at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE INDEX sessions_by_person ON payment.sessions (person_id);
CREATE TABLE payment.members (
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts, person_id payment.id24 NOT NULL REFERENCES payment.people,
  role text NOT NULL CHECK (role IN ('owner','administrator','developer','operator','reader')), created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_account_id, person_id));
CREATE INDEX members_by_person ON payment.members (person_id);
CREATE TABLE payment.invitations (       -- only the hash of the link
  id payment.id24 PRIMARY KEY, merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts, digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
  email text, role text NOT NULL CHECK (role IN ('owner','administrator','developer','operator','reader')), invited_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(), expires_at timestamptz NOT NULL, accepted_at timestamptz, withdrawn_at timestamptz,
  CHECK (email IS NOT NULL OR role = 'owner'));      -- without an address: the first owner's
CREATE INDEX invitations_by_account ON payment.invitations (merchant_account_id);
CREATE TABLE payment.saved_views (
  id payment.id24 PRIMARY KEY, merchant_account_id payment.id24 NOT NULL, person_id payment.id24 NOT NULL, name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  filters jsonb NOT NULL, shared boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE INDEX saved_views_by_account ON payment.saved_views (merchant_account_id);

-- The audit: a chain for each merchant account, and one for the deployment under the account of 24 zeros. The head stands apart, so
-- that a tail that was cut off is found too.
CREATE TABLE payment.audit (
  merchant_account_id payment.id24 NOT NULL, seq bigint NOT NULL, at timestamptz NOT NULL, actor text NOT NULL, action text NOT NULL, object text NOT NULL,
  result text NOT NULL CHECK (result IN ('done','failed','refused')), source text NOT NULL, reason text, detail jsonb NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32), PRIMARY KEY (merchant_account_id, seq));
CREATE INDEX audit_by_object ON payment.audit (merchant_account_id, object);
CREATE TABLE payment.audit_heads (merchant_account_id payment.id24 PRIMARY KEY, seq bigint NOT NULL, hash bytea NOT NULL CHECK (octet_length(hash) = 32));

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY string_to_array('members invitations saved_views audit audit_heads', ' ') LOOP
    EXECUTE format('ALTER TABLE payment.%1$I ENABLE ROW LEVEL SECURITY; ALTER TABLE payment.%1$I FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON payment.%1$I TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
      CREATE POLICY queue ON payment.%1$I TO payment_queue USING (true) WITH CHECK (true); GRANT SELECT ON payment.%1$I TO payment_app', t);
  END LOOP; END $$;

-- Ids without a gap, each hash over the one before; the head's row is also the lock of the chain.
CREATE FUNCTION payment.chain() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
DECLARE last audit_heads;
BEGIN
  INSERT INTO audit_heads (merchant_account_id, seq, hash) VALUES (NEW.merchant_account_id, 0, sha256('')) ON CONFLICT DO NOTHING;
  SELECT * INTO last FROM audit_heads WHERE merchant_account_id = NEW.merchant_account_id FOR UPDATE;
  NEW.seq := last.seq + 1;
  NEW.at := date_trunc('milliseconds', payment.now());
  NEW.hash := sha256(last.hash || convert_to(jsonb_build_array(encode(NEW.merchant_account_id, 'hex'), NEW.seq, extract(epoch FROM NEW.at)::numeric(20,3)::text,
    NEW.actor, NEW.action, NEW.object, NEW.result, NEW.source, NEW.reason, NEW.detail)::text, 'UTF8'));
  UPDATE audit_heads SET seq = NEW.seq, hash = NEW.hash WHERE merchant_account_id = NEW.merchant_account_id;
  RETURN NEW;
END $$;
CREATE TRIGGER chain BEFORE INSERT ON payment.audit FOR EACH ROW EXECUTE FUNCTION payment.chain();
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.audit FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');

GRANT SELECT, INSERT ON payment.people, payment.recovery_codes, payment.sessions TO payment_app;
GRANT UPDATE (name, password, totp_sealed, totp_confirmed_at, totp_step, failures, locked_until, last_login_at) ON payment.people TO payment_app;
GRANT UPDATE (used_at), DELETE ON payment.recovery_codes TO payment_app;
GRANT UPDATE (account_id, tries, seen_at), DELETE ON payment.sessions TO payment_app;
GRANT INSERT, UPDATE (role), DELETE ON payment.members TO payment_app;
GRANT INSERT, UPDATE (accepted_at, withdrawn_at) ON payment.invitations TO payment_app;
GRANT INSERT, UPDATE (name, filters, shared), DELETE ON payment.saved_views TO payment_app;
GRANT INSERT ON payment.audit TO payment_app;
GRANT SELECT, INSERT, UPDATE ON payment.audit_heads TO payment_queue;
GRANT SELECT ON payment.members, payment.invitations, payment.people, payment.clock TO payment_queue;

-- the ways past the tenant policies: where a person is a member, what a link invites to
CREATE FUNCTION payment.accounts_of_person(which bytea) RETURNS TABLE (merchant_account_id bytea, name text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT a.merchant_account_id, a.name, m.role FROM members m JOIN merchant_accounts a USING (merchant_account_id) WHERE m.person_id = which ORDER BY a.name, a.merchant_account_id $$;
CREATE FUNCTION payment.invitation_of_link(presented bytea) RETURNS TABLE (id bytea, merchant_account_id bytea, account_name text, email text, role text, expires_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT i.id, i.merchant_account_id, a.name, i.email, i.role, i.expires_at FROM invitations i JOIN merchant_accounts a USING (merchant_account_id)
  WHERE i.digest = presented AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > clock_timestamp() $$;

GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['accounts_of_person(bytea)', 'invitation_of_link(bytea)'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP;
  ALTER FUNCTION payment.chain() OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.chain() FROM PUBLIC;
END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
