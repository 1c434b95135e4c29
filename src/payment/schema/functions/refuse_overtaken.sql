-- Refuses that an order whose payer was authenticated goes to a provider, or is paid by a payer who
-- was at the provider itself, when another one of its reference was paid since its authentication
-- began. Such a payer is refused, too, while another one is at its provider, where it may be paid.
-- That a visit to the provider came to nothing is never refused: it has ended there. Called by the
-- trigger one_paid, at the end of the statement: what the index one_at_provider waited for is seen
-- then.
CREATE OR REPLACE FUNCTION payment.refuse_overtaken()
RETURNS trigger
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  -- the index does not keep apart what is paid at a provider without us: of two commits at once the
  -- second one waits here, and sees the first
  IF NEW.state = 'successful' OR NOT NEW.provider_run THEN
    PERFORM payment.lock_reference(NEW.merchant_account_id, NEW.order_merchant_id);
  END IF;
  IF (NEW.state = 'successful' OR NOT NEW.provider_run)
    AND EXISTS (
      SELECT 1
      FROM payment.operations own
      WHERE own.order_id = NEW.order_id
        AND own.id = NEW.transaction_id
        AND own.merchant_account_id = NEW.merchant_account_id
    )
    AND EXISTS (
      SELECT 1
      FROM payment.orders other
      JOIN payment.operations paid
        ON paid.order_id = other.id
        AND paid.id = other.winner_id
        AND paid.merchant_account_id = NEW.merchant_account_id
      WHERE other.merchant_account_id = NEW.merchant_account_id
        AND other.order_merchant_id = NEW.order_merchant_id
        AND other.id <> NEW.order_id
        AND other.live
        AND paid.settled_at >= NEW.created_at
    )
  THEN
    RAISE EXCEPTION 'another order of the reference was paid'
      USING ERRCODE = '23505', CONSTRAINT = 'one_paid';
  END IF;
  IF NEW.provider_run
    AND NEW.state = 'successful'
    AND EXISTS (
      SELECT 1
      FROM payment.operations other
      WHERE other.merchant_account_id = NEW.merchant_account_id
        AND other.order_merchant_id = NEW.order_merchant_id
        AND other.order_id <> NEW.order_id
        AND other.origin = 'merchant'
        AND (other.kind = 'authorize' OR other.kind = 'capture' AND other.target_id IS NOT NULL)
        AND other.state IN ('requested', 'in_doubt', 'reversing', 'review')
        AND other.waits_for <> 'payer'
    )
  THEN
    RAISE EXCEPTION 'another order of the reference is at its provider'
      USING ERRCODE = '23505', CONSTRAINT = 'one_paid';
  END IF;
  RETURN NULL;
END
$$;
