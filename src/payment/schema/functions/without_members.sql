-- An object without the members whose names fit a pattern; all others as they were written.
CREATE OR REPLACE FUNCTION payment.without_members(body json, pattern text)
RETURNS json
LANGUAGE sql IMMUTABLE
AS $$
  SELECT coalesce(json_object_agg(m.key, m.value), '{}'::json)
  FROM json_each(body) m
  WHERE m.key !~ pattern
$$;

REVOKE EXECUTE ON FUNCTION payment.without_members(json, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.without_members(json, text) TO payment_app;
