-- Takes the bytes of files, and the texts, of disputes that ended so long ago; the hashes stay. How
-- many of them there were, at most room of each. For the worker.
CREATE OR REPLACE FUNCTION payment.forget_dispute_evidence(room int, kept interval)
RETURNS int
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH old_files AS MATERIALIZED (
    SELECT f.merchant_account_id, f.id
    FROM dispute_files f
    JOIN disputes d ON d.id = f.dispute_id
    WHERE f.content_sealed IS NOT NULL
      AND d.state <> 'opened'
      AND d.updated_at < (SELECT payment.now()) - kept
    LIMIT room
  ),
  emptied AS (
    UPDATE dispute_files f
    SET content_sealed = NULL
    FROM old_files o
    WHERE f.merchant_account_id = o.merchant_account_id
      AND f.id = o.id
    RETURNING 1
  ),
  old_texts AS MATERIALIZED (
    SELECT e.merchant_account_id, e.dispute_id
    FROM dispute_evidence e
    JOIN disputes d ON d.id = e.dispute_id
    WHERE d.state <> 'opened'
      AND d.updated_at < (SELECT payment.now()) - kept
    LIMIT room
  ),
  deleted AS (
    DELETE FROM dispute_evidence e
    USING old_texts o
    WHERE e.merchant_account_id = o.merchant_account_id
      AND e.dispute_id = o.dispute_id
    RETURNING 1
  )
  SELECT ((SELECT count(*) FROM emptied) + (SELECT count(*) FROM deleted))::int
$$;

ALTER FUNCTION payment.forget_dispute_evidence(int, interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_dispute_evidence(int, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_dispute_evidence(int, interval) TO payment_app;
