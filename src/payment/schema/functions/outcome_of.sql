-- What became of a payment, by the status of its order. Called by put_search_facts.
CREATE OR REPLACE FUNCTION payment.outcome_of(status text)
RETURNS text
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE
    -- a refund that was asked for or declined has moved nothing yet
    WHEN status IN ('capture_successful', 'refund_requested', 'refund_declined') THEN 'captured'
    WHEN status = 'refund_successful' THEN 'refunded'
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
