-- The parts of a table that is parted by month, and where each ends (UTC), as their names say: that
-- of a month, and that of before the months. Called by those that keep parts, and by florin archive.
CREATE OR REPLACE FUNCTION payment.months_of(whole text)
RETURNS TABLE (part text, ends timestamp)
LANGUAGE sql STABLE SET search_path = payment, pg_temp
AS $$
  SELECT
    c.relname::text,
    to_date(right(c.relname, 6), 'YYYYMM')::timestamp
      + CASE WHEN c.relname LIKE '%\_before\_%' THEN interval '0' ELSE interval '1 month' END
  FROM pg_inherits i
  JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = whole::regclass
    AND c.relname ~ '_\d{6}$'
$$;

REVOKE EXECUTE ON FUNCTION payment.months_of(text) FROM PUBLIC;
