-- The clock never goes back, once there is an account. Called by the trigger never_back of the
-- clock.
CREATE OR REPLACE FUNCTION payment.never_back()
RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM merchant_accounts) THEN
    RAISE EXCEPTION 'moving back refused on payment.clock' USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END
$$;

ALTER FUNCTION payment.never_back() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.never_back() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.never_back() TO payment_app;
