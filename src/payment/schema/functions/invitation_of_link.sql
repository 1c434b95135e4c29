-- What a link invites to. For the back office.
CREATE OR REPLACE FUNCTION payment.invitation_of_link(presented bytea)
RETURNS TABLE (
  id bytea,
  merchant_account_id bytea,
  account_name text,
  email text,
  role text,
  role_name text,
  role_rights text[],
  invited_by text,
  expires_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT
    i.id,
    i.merchant_account_id,
    a.name,
    i.email,
    i.role,
    r.name,
    r.rights,
    i.invited_by,
    i.expires_at
  FROM invitations i
  JOIN merchant_accounts a USING (merchant_account_id)
  LEFT JOIN roles r ON r.merchant_account_id = i.merchant_account_id AND r.id = i.role_id
  WHERE i.digest = presented
    AND i.accepted_at IS NULL
    AND i.withdrawn_at IS NULL
    AND i.expires_at > clock_timestamp()
$$;

ALTER FUNCTION payment.invitation_of_link(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.invitation_of_link(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.invitation_of_link(bytea) TO payment_app;
