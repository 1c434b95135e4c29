-- What became of the money of an order. What was captured and refunded says it; of the rest of the order, and of what
-- was tried since, the status tells where there is no money. Called by search_facts and by searches. A host of the
-- version before asks by the status alone.
CREATE OR REPLACE FUNCTION payment.outcome_of(
  status text, captured_minor bigint DEFAULT 0, refunded_minor bigint DEFAULT 0
)
RETURNS text
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE
    WHEN refunded_minor > 0 OR status = 'refund_successful' THEN 'refunded'
    -- a refund that was asked for or declined has moved nothing yet
    WHEN captured_minor > 0
      OR status IN ('capture_successful', 'refund_requested', 'refund_declined') THEN 'captured'
    WHEN status IN (
      'authorization_successful', 'authorization_cancel_requested',
      'authorization_cancel_declined', 'capture_requested', 'capture_declined'
    ) THEN 'authorized'
    WHEN status IN ('authorization_cancelled', 'authorization_expired') THEN 'released'
    WHEN status IN (
      'risk_assessment_declined', 'authentication_declined', 'authorization_declined'
    ) THEN 'declined'
    ELSE 'open'
  END
$$;
