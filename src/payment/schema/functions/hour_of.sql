-- The hour (of Unix time) in which an id was made. Called by put_search_facts.
CREATE OR REPLACE FUNCTION payment.hour_of(id bytea)
RETURNS int
LANGUAGE sql IMMUTABLE
AS $$
  SELECT ((
    (get_byte(id, 0)::bigint << 24)
    + (get_byte(id, 1) << 16)
    + (get_byte(id, 2) << 8)
    + get_byte(id, 3)
  ) / 3600)::int
$$;
