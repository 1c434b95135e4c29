-- A new id of 12 bytes, its time first, as core/ids.ts makes it; behind the milliseconds those parts
-- of it that one commit tells apart: microseconds, and the place among what has the same moment.
-- Called by fan_out.
CREATE OR REPLACE FUNCTION payment.new_id(at timestamptz, place int)
RETURNS bytea
LANGUAGE sql VOLATILE
AS $$
  SELECT decode(
    -- 32 bits of seconds, then 10 of milliseconds, 10 of microseconds, 6 of the place, 38 of chance
    lpad(to_hex(micros / 1000000), 8, '0')
    || lpad(
      to_hex(
        ((micros / 1000 % 1000) << 22)
        | ((micros % 1000) << 12)
        | (least(place, 63)::bigint << 6)
        | (get_byte(random, 0) & 63)
      ),
      8,
      '0'
    )
    || encode(substring(random FROM 2 FOR 4), 'hex'),
    'hex'
  )
  FROM (
    SELECT
      floor(extract(epoch FROM at) * 1000000)::bigint AS micros,
      decode(left(replace(gen_random_uuid()::text, '-', ''), 10), 'hex') AS random
  ) made
$$;
