-- What was told of a customer goes: bodies and facts of notifications, and the members that events
-- brought. Of the caller's account alone.
CREATE OR REPLACE FUNCTION payment.forget_customer_told(subject bytea)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  account bytea := payment.tenant();
BEGIN
  DELETE FROM notifications n
  USING endpoints e
  WHERE e.merchant_account_id = account
    AND n.endpoint_id = e.id
    AND n.merchant_account_id = account
    AND n.subject_id = subject;
  UPDATE events v
  SET payload = NULL
  WHERE v.subject_id = subject
    AND v.merchant_account_id = account;
END
$$;

ALTER FUNCTION payment.forget_customer_told(bytea) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_customer_told(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_customer_told(bytea) TO payment_app;
