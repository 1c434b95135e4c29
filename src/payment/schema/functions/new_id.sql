-- A new id of 12 bytes, its time first, as core/ids.ts makes it. Called by fan_out.
CREATE OR REPLACE FUNCTION payment.new_id(at timestamptz)
RETURNS bytea
LANGUAGE sql VOLATILE
AS $$
  SELECT decode(
    -- seconds, then milliseconds in ten bits and chance in six, then chance
    lpad(to_hex(floor(extract(epoch FROM at))::bigint), 8, '0')
    || lpad(
      to_hex(
        ((floor(extract(epoch FROM at) * 1000)::bigint % 1000) << 6) | (get_byte(random, 0) & 63)
      ),
      4,
      '0'
    )
    || encode(substring(random FROM 1 FOR 6), 'hex'),
    'hex'
  )
  FROM (
    SELECT decode(
      left(replace(gen_random_uuid()::text, '-', ''), 12) || right(gen_random_uuid()::text, 2),
      'hex'
    ) AS random
  ) chance
$$;
