-- May an operation of this kind go from one state to another? Asked by the trigger forward_only of
-- operations.
CREATE OR REPLACE FUNCTION payment.step_ok(kind text, was text, becomes text)
RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
  SELECT was = becomes OR CASE
    WHEN was IN ('requested', 'in_doubt', 'review') AND becomes = 'reversing'
    THEN kind = 'authorize'
    WHEN was = 'requested'
    THEN becomes IN ('successful', 'declined', 'not_sent', 'review', 'in_doubt')
    WHEN was IN ('in_doubt', 'review')
    THEN becomes IN ('successful', 'declined', 'not_sent', 'review')
    WHEN was = 'reversing'
    THEN becomes IN ('declined', 'review')
    -- a correction by the provider
    ELSE was = 'successful' AND becomes = 'declined' AND kind IN ('capture', 'refund')
  END
$$;
