-- Numbers a record of the audit without a gap and hashes it over the one before; the row of the
-- head is also the lock of the chain. Called by the trigger chain of the audit.
CREATE OR REPLACE FUNCTION payment.chain()
RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  last audit_heads;
BEGIN
  INSERT INTO audit_heads (merchant_account_id, seq, hash)
  VALUES (NEW.merchant_account_id, 0, sha256(''))
  ON CONFLICT DO NOTHING;
  SELECT * INTO last
  FROM audit_heads
  WHERE merchant_account_id = NEW.merchant_account_id
  FOR UPDATE;
  NEW.seq := last.seq + 1;
  NEW.at := date_trunc('milliseconds', payment.now());
  NEW.hash := sha256(last.hash || convert_to(
    jsonb_build_array(
      encode(NEW.merchant_account_id, 'hex'), NEW.seq,
      extract(epoch FROM NEW.at)::numeric(20,3)::text,
      NEW.actor, NEW.action, NEW.object, NEW.result, NEW.source, NEW.reason, NEW.detail
    )::text,
    'UTF8'
  ));
  UPDATE audit_heads
  SET seq = NEW.seq, hash = NEW.hash
  WHERE merchant_account_id = NEW.merchant_account_id;
  RETURN NEW;
END
$$;

ALTER FUNCTION payment.chain() OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.chain() FROM PUBLIC;
