-- The parts of a table that is parted by month, and where each begins and ends (UTC), as their names
-- say: that of a month, and that of before the months. Called by those that keep parts, and by
-- florin archive.
CREATE OR REPLACE FUNCTION payment.months_of(whole text)
RETURNS TABLE (part text, begins timestamp, ends timestamp)
LANGUAGE sql STABLE SET search_path = payment, pg_temp
AS $$
  SELECT
    c.relname::text,
    CASE WHEN of_before THEN '-infinity' ELSE named END,
    CASE WHEN of_before THEN named ELSE named + interval '1 month' END
  FROM pg_inherits i
  JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (
    SELECT c.relname LIKE '%\_before\_%', to_date(right(c.relname, 6), 'YYYYMM')::timestamp
  ) n (of_before, named)
  WHERE i.inhparent = whole::regclass
    AND c.relname ~ '_\d{6}$'
$$;

REVOKE EXECUTE ON FUNCTION payment.months_of(text) FROM PUBLIC;
