-- Merchant accounts whose routing learns from outcomes: by a best_of rule, or an experiment. For the
-- worker.
CREATE OR REPLACE FUNCTION payment.learning_accounts()
RETURNS TABLE (merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT a.merchant_account_id
  FROM merchant_accounts a
  WHERE a.settings ? 'experiment'
    OR jsonb_path_exists(a.settings, '$.routing.rules[*].then.best_of')
  ORDER BY a.merchant_account_id
$$;

ALTER FUNCTION payment.learning_accounts() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.learning_accounts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.learning_accounts() TO payment_app;
