-- Takes the bytes of files, and the texts, of disputes that ended before this moment; the hashes
-- stay. How many of them there were, at most room of each. For the worker.
CREATE OR REPLACE FUNCTION payment.forget_dispute_evidence(room int, before timestamptz)
RETURNS int
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH old_files AS MATERIALIZED (
    SELECT f.merchant_account_id, f.id
    FROM disputes d
    CROSS JOIN LATERAL (
      SELECT x.merchant_account_id, x.id
      FROM dispute_files x
      WHERE x.merchant_account_id = d.merchant_account_id
        AND x.dispute_id = d.id
        AND x.content_sealed IS NOT NULL
      LIMIT 100
    ) f
    WHERE d.state <> 'opened'
      AND d.updated_at < before
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
    FROM disputes d
    JOIN dispute_evidence e
      ON e.merchant_account_id = d.merchant_account_id
      AND e.dispute_id = d.id
    WHERE d.state <> 'opened'
      AND d.updated_at < before
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

ALTER FUNCTION payment.forget_dispute_evidence(int, timestamptz) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.forget_dispute_evidence(int, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.forget_dispute_evidence(int, timestamptz) TO payment_app;
