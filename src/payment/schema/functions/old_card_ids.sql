-- Ids of the vault that still stand in rows of earlier versions, of any account, each once. For the
-- first start.
CREATE OR REPLACE FUNCTION payment.old_card_ids(room int)
RETURNS TABLE (merchant_account_id bytea, card_unique_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
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
  LIMIT room
$$;

ALTER FUNCTION payment.old_card_ids(int) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.old_card_ids(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.old_card_ids(int) TO payment_app;
