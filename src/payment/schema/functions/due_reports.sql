-- Reports that come by themselves and are due. For the worker.
CREATE OR REPLACE FUNCTION payment.due_reports(room int)
RETURNS TABLE (merchant_account_id bytea, id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  SELECT r.merchant_account_id, r.id
  FROM reports r
  WHERE r.next_at <= (SELECT payment.now())
  ORDER BY r.next_at
  LIMIT room
$$;

ALTER FUNCTION payment.due_reports(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.due_reports(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.due_reports(int) TO payment_app;
