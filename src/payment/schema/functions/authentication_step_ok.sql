-- May an authentication go from one state to another? Asked by the trigger forward_only.
CREATE OR REPLACE FUNCTION payment.authentication_step_ok(was text, becomes text)
RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
  SELECT was = becomes OR CASE was
    WHEN 'requested' THEN true
    WHEN 'method' THEN becomes <> 'requested'
    WHEN 'challenge' THEN becomes IN ('successful', 'declined')
    ELSE false
  END
$$;
