-- Is an attempt suspicious? As isSuspicious in src/payment/risk/view.ts says it: a rule of the account
-- marked it, or its score is as high as the account had set when it was accepted.
CREATE OR REPLACE FUNCTION payment.is_suspicious(risk json, score smallint)
RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
  SELECT
    coalesce(risk ->> 'marked' IS NOT NULL, false)
    OR coalesce(score >= coalesce((risk ->> 'suspicious_from')::int, 60), false)
$$;
