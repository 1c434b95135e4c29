-- An object without the members whose names fit a pattern, and without the items of merchant_data that
-- the merchant marked as personal; all others as they were written.
CREATE OR REPLACE FUNCTION payment.without_members(body json, pattern text)
RETURNS json
LANGUAGE sql IMMUTABLE
AS $$
  SELECT coalesce(
    json_object_agg(
      m.key,
      CASE
        WHEN m.key <> 'merchant_data' OR json_typeof(m.value) <> 'array' THEN m.value
        ELSE (
          SELECT coalesce(json_agg(i.value), '[]'::json)
          FROM json_array_elements(m.value) i
          WHERE i.value ->> 'is_personal_data' IS DISTINCT FROM 'true'
        )
      END),
    '{}'::json)
  FROM json_each(body) m
  WHERE m.key !~ pattern
$$;

REVOKE EXECUTE ON FUNCTION payment.without_members(json, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.without_members(json, text) TO payment_app;
