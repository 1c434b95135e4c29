-- Puts digests in the place of ids; two processes that start at once do so one after the other. For
-- the first start.
CREATE OR REPLACE FUNCTION payment.put_card_digests(accounts bytea[], ids uuid[], digests bytea[])
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
 BEGIN
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
END
$$;

ALTER FUNCTION payment.put_card_digests(bytea[], uuid[], bytea[]) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.put_card_digests(bytea[], uuid[], bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.put_card_digests(bytea[], uuid[], bytea[]) TO payment_app;
