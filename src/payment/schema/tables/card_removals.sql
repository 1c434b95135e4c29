-- Tokens that are no longer good, until the vault has deleted their cards.
CREATE TABLE payment.card_removals (
  merchant_account_id payment.id24 NOT NULL,
  token_hash bytea NOT NULL
    CONSTRAINT card_removals_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32),
  requested_at timestamptz NOT NULL DEFAULT payment.now(),
  tries int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, token_hash)
);

CREATE INDEX card_removals_due ON payment.card_removals (due_at);

ALTER TABLE payment.card_removals ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.card_removals FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.card_removals TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.card_removals TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.card_removals TO payment_app;
GRANT UPDATE (tries, due_at) ON payment.card_removals TO payment_app;
GRANT SELECT, UPDATE ON payment.card_removals TO payment_queue;
