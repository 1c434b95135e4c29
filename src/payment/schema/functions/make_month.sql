-- Makes the part of a month (of UTC) of a table that is parted by the time its ids begin with.
-- Nothing where what was there before the months reaches beyond it. Called by keep_months, and by
-- florin archive.
CREATE OR REPLACE FUNCTION payment.make_month(whole text, month timestamp)
RETURNS void
LANGUAGE sql VOLATILE SET search_path = payment, pg_temp
AS $$
  SELECT payment.make_part(
    whole,
    whole || to_char(month, '_YYYYMM'),
    payment.id_at(month AT TIME ZONE 'UTC')::text,
    payment.id_at((month + interval '1 month') AT TIME ZONE 'UTC')::text
  )
  WHERE NOT EXISTS (
    SELECT
    FROM payment.months_of(whole) m
    WHERE m.begins = '-infinity'
      AND m.ends > month
  )
$$;

REVOKE EXECUTE ON FUNCTION payment.make_month(text, timestamp) FROM PUBLIC;
