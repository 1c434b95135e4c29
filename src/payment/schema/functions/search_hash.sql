-- 64 bits of SHA-256; letters of ASCII in small, so that it is the same in every locale and in the
-- service (search/filters.ts).
CREATE OR REPLACE FUNCTION payment.search_hash(word text)
RETURNS bigint
LANGUAGE sql STABLE
AS $$
  SELECT (
    'x' || left(encode(sha256(convert_to(lower(word COLLATE "C"), 'UTF8')), 'hex'), 16)
  )::bit(64)::bigint
$$;
