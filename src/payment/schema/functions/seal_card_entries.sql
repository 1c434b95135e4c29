-- Puts sealed values in the place of card ids in clear. For the first start.
CREATE OR REPLACE FUNCTION payment.seal_card_entries(
  accounts bytea[],
  subjects bytea[],
  seals bytea[]
)
RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = payment, pg_temp
AS $$
  UPDATE risk_entries e
  SET shown = '', shown_sealed = x.sealed
  FROM unnest(accounts::bytea[], subjects::bytea[], seals::bytea[]) AS x (account, subject, sealed)
  WHERE e.merchant_account_id = x.account
    AND e.subject = x.subject
    AND e.shown <> ''
$$;

ALTER FUNCTION payment.seal_card_entries(bytea[], bytea[], bytea[]) OWNER TO payment_queue;
REVOKE EXECUTE ON FUNCTION payment.seal_card_entries(bytea[], bytea[], bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment.seal_card_entries(bytea[], bytea[], bytea[]) TO payment_app;
