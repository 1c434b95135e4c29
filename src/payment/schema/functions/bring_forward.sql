-- What waits for a moment that was planned before the clock was set back by this much waits as long
-- as was meant, and not so much longer. What was planned since then is nearer, and stays as it is. A
-- later try of a declined payment stays, too: cards' schemes say how long it has to wait.
CREATE OR REPLACE FUNCTION payment.bring_forward(by interval)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
DECLARE
  moment timestamptz := payment.now();
  -- it was noticed a little later, and what was due at that moment is due since then
  after timestamptz := moment + by - interval '5 seconds';
  machine timestamptz := clock_timestamp();
BEGIN
  UPDATE operations SET due_at = due_at - by
  WHERE state IN ('requested', 'in_doubt', 'review') AND due_at > after;
  UPDATE authentications SET due_at = due_at - by
  WHERE state IN ('requested', 'method', 'challenge') AND due_at > after;
  UPDATE contradictions SET due_at = due_at - by
  WHERE state = 'open' AND due_at > after;
  UPDATE provider_events SET looked_at = moment
  WHERE state = 'received' AND coalesce(looked_at, received_at) > moment;
  UPDATE card_removals SET due_at = due_at - by WHERE due_at > after;
  UPDATE dispute_answers SET due_at = due_at - by
  WHERE state IN ('requested', 'in_doubt') AND due_at > after;
  UPDATE endpoints SET probe_at = probe_at - by
  WHERE failing_since IS NOT NULL AND probe_at > after;
  UPDATE notifications
  SET
    due_at = CASE WHEN due_at > after THEN due_at - by ELSE due_at END,
    next_at = CASE WHEN next_at > after THEN next_at - by ELSE next_at END,
    leased_until = CASE
      WHEN leased_until > machine + by - interval '5 seconds' THEN leased_until - by
      ELSE leased_until
    END
  WHERE state = 'waiting'
    AND greatest(due_at, next_at, leased_until) > moment;
  UPDATE mails SET due_at = due_at - by
  WHERE state = 'waiting' AND due_at > machine + by - interval '5 seconds';
  UPDATE report_runs SET due_at = due_at - by WHERE state = 'waiting' AND due_at > after;
  UPDATE erasures SET due_at = due_at - by WHERE state = 'waiting' AND due_at > after;
END
$$;

ALTER FUNCTION payment.bring_forward(interval) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.bring_forward(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.bring_forward(interval) TO payment_app;
