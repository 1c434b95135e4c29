-- A text as it is searched for: without marks, in small letters. The same in every locale, and the
-- same as in the service (search/words.ts): Latin, Greek and Cyrillic letters have small ones here,
-- others stay as they are written.
CREATE OR REPLACE FUNCTION payment.search_fold(value text)
RETURNS text
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE
    -- nothing but ASCII, as in most addresses
    WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C")
    ELSE replace(replace(replace(
      translate(
        lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "C"),
        'ØŁĐÐÞŊŦĦÆŒẞøłđðþŋŧħıςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ',
        'olddtnthæœßolddtnthiσαβγδεζηθικλμνξοπρστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
  END
$$;
