-- The lowest id of a moment, which ids begin with. Called by keep_months, and where parts are made.
CREATE OR REPLACE FUNCTION payment.id_at(moment timestamptz)
RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$
  SELECT decode(rpad(lpad(to_hex(floor(extract(epoch FROM moment))::bigint), 8, '0'), 24, '0'), 'hex')
$$;
