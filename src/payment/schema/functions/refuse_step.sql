-- What is final moves only where a contradiction is open, from one end to the other. Called by the
-- trigger forward_only of operations, for steps that step_ok does not allow.
CREATE OR REPLACE FUNCTION payment.refuse_step()
RETURNS trigger
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  IF OLD.state IN ('successful', 'declined', 'not_sent')
    AND NEW.state IN ('successful', 'declined')
    AND EXISTS (
      SELECT 1
      FROM payment.contradictions c
      WHERE c.order_id = NEW.order_id
        AND c.operation_id = NEW.id
        AND c.merchant_account_id = NEW.merchant_account_id
        AND c.state = 'open'
    )
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'state change refused on %.%', TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = '23514';
END
$$;
