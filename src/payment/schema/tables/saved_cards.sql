-- Saved cards of customers.
CREATE TABLE payment.saved_cards (
  merchant_account_id payment.id24 NOT NULL,
  customer_id text NOT NULL,
  -- as in payment.transactions
  card_digest bytea NOT NULL
    CONSTRAINT saved_cards_card_digest_is_32_bytes CHECK (octet_length(card_digest) = 32),
  id payment.id24 NOT NULL,
  token_hash bytea NOT NULL
    CONSTRAINT saved_cards_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32),
  token_sealed bytea NOT NULL,
  scheme text NOT NULL,
  first6 char(6) NOT NULL,
  last4 char(4) NOT NULL,
  exp_month smallint NOT NULL,
  exp_year smallint NOT NULL,
  uses int NOT NULL DEFAULT 0,
  last_used_at timestamptz,
  saved_at timestamptz NOT NULL,

  PRIMARY KEY (merchant_account_id, customer_id, card_digest)
) WITH (fillfactor = 80);

-- empty as soon as the rows of earlier versions are done
CREATE INDEX saved_cards_old_cards ON payment.saved_cards (merchant_account_id, card_digest)
  WHERE octet_length(card_digest) = 16;

ALTER TABLE payment.saved_cards ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.saved_cards FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.saved_cards TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.saved_cards TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.saved_cards TO payment_app;
GRANT UPDATE (
  token_hash, token_sealed, scheme, exp_month, exp_year, uses, last_used_at, saved_at
) ON payment.saved_cards TO payment_app;
GRANT SELECT ON payment.saved_cards TO payment_queue;
GRANT UPDATE (card_digest) ON payment.saved_cards TO payment_queue;
