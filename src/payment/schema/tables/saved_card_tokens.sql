-- Every token of a saved card, the newest and the older ones: removal ends them all.
CREATE TABLE payment.saved_card_tokens (
  merchant_account_id payment.id24 NOT NULL,
  token_hash bytea NOT NULL
    CONSTRAINT saved_card_tokens_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32),
  customer_id text NOT NULL,
  -- as in payment.transactions
  card_digest bytea NOT NULL
    CONSTRAINT saved_card_tokens_card_digest_is_32_bytes CHECK (octet_length(card_digest) = 32),

  PRIMARY KEY (merchant_account_id, token_hash, customer_id)
);

CREATE INDEX saved_card_tokens_by_item
  ON payment.saved_card_tokens (merchant_account_id, customer_id, card_digest);

-- empty as soon as the rows of earlier versions are done
CREATE INDEX saved_card_tokens_old_cards
  ON payment.saved_card_tokens (merchant_account_id, card_digest)
  WHERE octet_length(card_digest) = 16;

ALTER TABLE payment.saved_card_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.saved_card_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.saved_card_tokens TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.saved_card_tokens TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.saved_card_tokens TO payment_app;
GRANT SELECT ON payment.saved_card_tokens TO payment_queue;
GRANT UPDATE (card_digest) ON payment.saved_card_tokens TO payment_queue;
