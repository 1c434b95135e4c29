-- People are found by the beginnings of their names and of their e-mail addresses (docs/decisions/0045). A dictionary, not a row an
-- order: a word of a person leads to the hash by which the orders of that person are found already. Only the worker writes here.
CREATE TABLE payment.search_words (
  merchant_account_id payment.id24 NOT NULL,
  word text COLLATE "C" NOT NULL,
  -- of whom: the hash of their e-mail, or, where an order has none, of their customer_id
  by_email boolean NOT NULL,
  person bigint NOT NULL,
  PRIMARY KEY (merchant_account_id, word, by_email, person));
ALTER TABLE payment.search_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.search_words FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.search_words TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.search_words TO payment_queue
  USING (true)
  WITH CHECK (true);
GRANT SELECT ON payment.search_words TO payment_app;
GRANT SELECT, INSERT ON payment.search_words TO payment_queue;

-- A text as it is searched for: without marks, in small letters. The same in every locale, and the same as in the service
-- (search/words.ts): Latin, Greek and Cyrillic letters have small ones here, others stay as they are written.
CREATE FUNCTION payment.search_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(replace(replace(
    translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "C"),
      'ØŁĐÐÞŊŦĦÆŒẞøłđðþŋŧħıςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ',
      'olddtnthæœßolddtnthiσαβγδεζηθικλμνξοπρστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') $$;

-- The words of such a text: what stands between spaces, signs and punctuation.
CREATE FUNCTION payment.search_parts(value text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT w.word
  FROM regexp_split_to_table(
    payment.search_fold(value),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+') AS w (word)
  WHERE w.word <> '' $$;

-- The words of the people who pay these orders. A person with neither an e-mail nor a customer_id has none: nothing tells them
-- from others. Words are cut, so that the longest one fits into the index.
CREATE FUNCTION payment.search_words_of(accounts bytea[], ids bytea[])
RETURNS TABLE (merchant_account_id bytea, word text, by_email boolean, person bigint)
LANGUAGE sql STABLE SET search_path = payment, pg_temp AS $$
  WITH payers AS MATERIALIZED (
    SELECT
      o.merchant_account_id,
      coalesce(o.body ->> 'customer_email', c.body ->> 'customer_email') AS email,
      coalesce(o.body ->> 'customer_id', c.body ->> 'customer_id') AS customer_id,
      coalesce(o.body ->> 'customer_first_name', c.body ->> 'customer_first_name') AS first_name,
      coalesce(o.body ->> 'customer_last_name', c.body ->> 'customer_last_name') AS last_name
    FROM unnest(accounts::bytea[], ids::bytea[]) AS x (merchant_account_id, id)
    JOIN orders o ON o.merchant_account_id = x.merchant_account_id AND o.id = x.id
    LEFT JOIN checkouts c ON c.merchant_account_id = o.merchant_account_id AND c.id = o.checkout_id)
  SELECT DISTINCT
    p.merchant_account_id::bytea,
    left(w.word, 100),
    p.email IS NOT NULL,
    search_hash(coalesce(p.email, p.customer_id))
  FROM payers p
  CROSS JOIN LATERAL (
    SELECT search_fold(p.email) AS word
    UNION ALL
    SELECT search_parts(concat_ws(' ',
      split_part(p.email, '@', 1),
      split_part(split_part(p.email, '@', 2), '.', 1),
      p.first_name,
      p.last_name))) w
  WHERE w.word IS NOT NULL
    AND coalesce(p.email, p.customer_id) IS NOT NULL $$;
REVOKE EXECUTE ON FUNCTION payment.search_words_of(bytea[], bytea[]) FROM PUBLIC;
-- it reads as the one who calls it: the service its own account alone, the worker all of them
GRANT EXECUTE ON FUNCTION payment.search_words_of(bytea[], bytea[]) TO payment_app, payment_queue;

-- as before (0011), and keeps the words
CREATE OR REPLACE FUNCTION payment.follow_orders(span int) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
DECLARE
  begins bigint;
  ended bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  ends bigint;
  accounts bytea[];
  ids bytea[];
  facts search_fact[];
BEGIN
  SELECT next_tx INTO begins FROM order_search_state FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  ends := CASE WHEN begins > ended THEN 9223372036854775807 ELSE least(ended, begins + span) END;
  SELECT array_agg(e.merchant_account_id::bytea), array_agg(e.subject_id::bytea)
  INTO accounts, ids
  FROM (
    SELECT DISTINCT e.merchant_account_id, e.subject_id
    FROM events e
    WHERE e.tx >= begins
      AND e.tx < ends) e;
  IF ids IS NOT NULL THEN
    SELECT array_agg(f) INTO facts FROM search_facts(accounts, ids) f;
    IF facts IS NOT NULL THEN
      PERFORM put_search_facts(facts);
      INSERT INTO search_words (merchant_account_id, word, by_email, person)
      SELECT w.merchant_account_id, w.word, w.by_email, w.person
      FROM search_words_of(accounts, ids) w
      ON CONFLICT DO NOTHING;
    END IF;
  END IF;
  IF ends > begins THEN
    UPDATE order_search_state SET next_tx = least(ends, ended);
  END IF;
  RETURN ended - least(ends, ended);
END $$;

-- The orders that are there already. An older version that still runs follows nothing meanwhile: the state is locked.
SET LOCAL ROLE payment_queue;
DO $$
DECLARE
  account bytea := '';
  last bytea := '';
  accounts bytea[];
  ids bytea[];
BEGIN
  PERFORM FROM payment.order_search_state FOR UPDATE;
  LOOP
    SELECT
      array_agg(x.merchant_account_id::bytea ORDER BY x.merchant_account_id, x.id),
      array_agg(x.id::bytea ORDER BY x.merchant_account_id, x.id)
    INTO accounts, ids
    FROM (
      SELECT o.merchant_account_id, o.id
      FROM payment.orders o
      WHERE (o.merchant_account_id, o.id) > (account, last)
      ORDER BY o.merchant_account_id, o.id
      LIMIT 10000) x;
    EXIT WHEN ids IS NULL;
    INSERT INTO payment.search_words (merchant_account_id, word, by_email, person)
    SELECT w.merchant_account_id, w.word, w.by_email, w.person
    FROM payment.search_words_of(accounts, ids) w
    ON CONFLICT DO NOTHING;
    account := accounts[cardinality(accounts)];
    last := ids[cardinality(ids)];
  END LOOP;
END $$;
SET LOCAL ROLE florin_owner;
