-- The money zone knows a card by a digest under its own key, never by the card_unique_id that /token answers (docs/decisions/0052):
-- who reads these tables, or a backup of them, has nothing to compare an answer with. The ids of older rows stand here as 16 bytes
-- until the first start of this version has replaced them: only the service has the key.
ALTER TABLE payment.transactions RENAME card_unique_id TO card_digest;
ALTER TABLE payment.saved_cards RENAME card_unique_id TO card_digest;
ALTER TABLE payment.saved_card_tokens RENAME card_unique_id TO card_digest;

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['transactions', 'saved_cards', 'saved_card_tokens'] LOOP
    EXECUTE format('ALTER TABLE payment.%1$I ALTER card_digest TYPE bytea USING uuid_send(card_digest)', t);
    EXECUTE format('ALTER TABLE payment.%1$I ADD CONSTRAINT %1$s_card_digest_check CHECK (octet_length(card_digest) = 32) NOT VALID', t);
    -- empty as soon as the older rows are done
    EXECUTE format('CREATE INDEX %1$s_old_cards ON payment.%1$I (merchant_account_id, card_digest) WHERE octet_length(card_digest) = 16', t);
    EXECUTE format('GRANT SELECT, UPDATE (card_digest) ON payment.%1$I TO payment_queue', t);
  END LOOP; END $$;

-- a card on a list is shown to the people of its account: sealed, as nothing of it may stand here in clear
ALTER TABLE payment.risk_entries ADD shown_sealed bytea;
ALTER TABLE payment.risk_entries ADD CONSTRAINT risk_entries_shown_check
  CHECK (kind <> 'card' OR shown = '' AND shown_sealed IS NOT NULL) NOT VALID;
CREATE INDEX risk_entries_open_cards ON payment.risk_entries (merchant_account_id) WHERE kind = 'card' AND shown <> '';
GRANT UPDATE (shown_sealed) ON payment.risk_entries TO payment_app;
GRANT SELECT, UPDATE (shown, shown_sealed) ON payment.risk_entries TO payment_queue;

-- ids of the vault that still stand in older rows of any account, each once
CREATE FUNCTION payment.old_card_ids(room int) RETURNS TABLE (merchant_account_id bytea, card_unique_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT x.account, encode(x.id, 'hex')::uuid
  FROM (
    (SELECT DISTINCT t.merchant_account_id::bytea AS account, t.card_digest AS id
      FROM transactions t
      WHERE octet_length(t.card_digest) = 16
        AND t.merchant_account_id > ''::bytea
      LIMIT room)
    UNION
    (SELECT DISTINCT s.merchant_account_id::bytea, s.card_digest
      FROM saved_cards s
      WHERE octet_length(s.card_digest) = 16
        AND s.merchant_account_id > ''::bytea
      LIMIT room)
    UNION
    (SELECT DISTINCT k.merchant_account_id::bytea, k.card_digest
      FROM saved_card_tokens k
      WHERE octet_length(k.card_digest) = 16
        AND k.merchant_account_id > ''::bytea
      LIMIT room)) x
  LIMIT room $$;

-- puts digests in the place of ids; two processes that start at once do so one after the other
CREATE FUNCTION payment.put_card_digests(accounts bytea[], ids uuid[], digests bytea[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = payment, pg_temp AS $$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payment.put_card_digests', 0));
  UPDATE transactions t
    SET card_digest = x.digest
    FROM unnest(accounts::bytea[], ids::uuid[], digests::bytea[]) AS x (account, id, digest)
    WHERE t.merchant_account_id = x.account
      AND t.card_digest = uuid_send(x.id)
      AND octet_length(t.card_digest) = 16;
  UPDATE saved_cards s
    SET card_digest = x.digest
    FROM unnest(accounts::bytea[], ids::uuid[], digests::bytea[]) AS x (account, id, digest)
    WHERE s.merchant_account_id = x.account
      AND s.card_digest = uuid_send(x.id)
      AND octet_length(s.card_digest) = 16;
  UPDATE saved_card_tokens k
    SET card_digest = x.digest
    FROM unnest(accounts::bytea[], ids::uuid[], digests::bytea[]) AS x (account, id, digest)
    WHERE k.merchant_account_id = x.account
      AND k.card_digest = uuid_send(x.id)
      AND octet_length(k.card_digest) = 16;
END $$;

-- entries of lists that still show a card's id in clear
CREATE FUNCTION payment.open_card_entries(room int) RETURNS TABLE (merchant_account_id bytea, subject bytea, shown text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT e.merchant_account_id, e.subject, e.shown
  FROM risk_entries e
  WHERE e.kind = 'card'
    AND e.shown <> ''
    AND e.merchant_account_id > ''::bytea
  LIMIT room $$;

CREATE FUNCTION payment.seal_card_entries(accounts bytea[], subjects bytea[], seals bytea[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  UPDATE risk_entries e
    SET shown = '', shown_sealed = x.sealed
    FROM unnest(accounts::bytea[], subjects::bytea[], seals::bytea[]) AS x (account, subject, sealed)
    WHERE e.merchant_account_id = x.account
      AND e.subject = x.subject
      AND e.shown <> '' $$;

GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['old_card_ids(int)', 'put_card_digests(bytea[], uuid[], bytea[])', 'open_card_entries(int)', 'seal_card_entries(bytea[], bytea[], bytea[])'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue', f);
    EXECUTE format('REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
