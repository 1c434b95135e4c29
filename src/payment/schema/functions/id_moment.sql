-- The second in which an id was made. Called by keep_months.
CREATE OR REPLACE FUNCTION payment.id_moment(id bytea)
RETURNS timestamptz
LANGUAGE sql IMMUTABLE
AS $$
  SELECT to_timestamp(
    (get_byte(id, 0)::bigint << 24)
    + (get_byte(id, 1) << 16)
    + (get_byte(id, 2) << 8)
    + get_byte(id, 3)
  )
$$;
