-- What waits for an endpoint that has ended: deleted with it, parked where it is switched off. At
-- most so many at a time: one may have very many. Their ids are gathered first, so that each is
-- found by its key. For the sender.
CREATE OR REPLACE FUNCTION payment.end_waiting(ended_id bytea, most int)
RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  WITH ended AS MATERIALIZED (
    SELECT e.id, e.merchant_account_id, e.state
    FROM endpoints e
    WHERE e.id = ended_id
      AND e.state <> 'on'
  ),
  waiting AS MATERIALIZED (
    SELECT n.id::bytea AS id
    FROM notifications n
    WHERE n.endpoint_id = (SELECT ended.id FROM ended)
      AND n.state = 'waiting'
    ORDER BY n.due_at
    LIMIT most::int
    FOR UPDATE SKIP LOCKED
  ),
  removed AS (
    DELETE FROM notifications n
    WHERE n.merchant_account_id = (
        SELECT ended.merchant_account_id
        FROM ended
        WHERE ended.state = 'deleted'
      )
      AND n.id = ANY (ARRAY(SELECT waiting.id FROM waiting))
  )
  UPDATE notifications n
  SET
    state = 'parked',
    leased_until = NULL,
    last_error = coalesce(n.last_error, 'the endpoint is switched off')
  WHERE n.merchant_account_id = (
      SELECT ended.merchant_account_id
      FROM ended
      WHERE ended.state = 'off'
    )
    AND n.id = ANY (ARRAY(SELECT waiting.id FROM waiting))
$$;

ALTER FUNCTION payment.end_waiting(bytea, int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.end_waiting(bytea, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.end_waiting(bytea, int) TO payment_app;
