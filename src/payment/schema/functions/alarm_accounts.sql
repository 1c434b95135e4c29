-- Accounts of which at least one member wants alarms by mail. For the worker.
CREATE OR REPLACE FUNCTION payment.alarm_accounts()
RETURNS TABLE (merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT DISTINCT m.merchant_account_id::bytea
  FROM members m
  WHERE m.merchant_account_id > ''::bytea
    AND m.alarm_mails
$$;

ALTER FUNCTION payment.alarm_accounts() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.alarm_accounts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.alarm_accounts() TO payment_app;
