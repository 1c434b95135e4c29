-- Makes the part of a month (of UTC) of a table that is parted by month. Nothing where what was
-- there before the months reaches beyond it. Called by keep_months.
CREATE OR REPLACE FUNCTION payment.make_month(whole text, month timestamp)
RETURNS void
LANGUAGE sql VOLATILE SET search_path = payment, pg_temp
AS $$
  SELECT payment.make_part(
    whole,
    whole || to_char(month, '_YYYYMM'),
    CASE whole WHEN 'risk_sightings' THEN b.low::text ELSE payment.id_at(b.low)::text END,
    CASE whole WHEN 'risk_sightings' THEN b.high::text ELSE payment.id_at(b.high)::text END
  )
  FROM (
    SELECT month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC'
  ) b (low, high)
  WHERE NOT EXISTS (
    SELECT
    FROM payment.months_of(whole) m
    WHERE m.begins = '-infinity'
      AND m.ends > month
  )
$$;

REVOKE EXECUTE ON FUNCTION payment.make_month(text, timestamp) FROM PUBLIC;
