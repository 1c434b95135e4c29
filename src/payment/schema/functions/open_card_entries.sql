-- Entries of lists that still show a card's id in clear. For the first start.
CREATE OR REPLACE FUNCTION payment.open_card_entries(room int)
RETURNS TABLE (merchant_account_id bytea, subject bytea, shown text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT e.merchant_account_id, e.subject, e.shown
  FROM risk_entries e
  WHERE e.kind = 'card'
    AND e.shown <> ''
    AND e.merchant_account_id > ''::bytea
  LIMIT room
$$;

ALTER FUNCTION payment.open_card_entries(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.open_card_entries(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.open_card_entries(int) TO payment_app;
