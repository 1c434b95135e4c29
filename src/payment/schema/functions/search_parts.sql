-- The words of a folded text: what stands between spaces, signs and punctuation.
CREATE OR REPLACE FUNCTION payment.search_parts(value text)
RETURNS SETOF text
LANGUAGE sql IMMUTABLE
AS $$
  SELECT w.word
  FROM regexp_split_to_table(
    payment.search_fold(value),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+') AS w (word)
  WHERE w.word <> ''
$$;
