-- One attempt with one provider.
CREATE TABLE payment.transactions (
  id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  attempt smallint NOT NULL DEFAULT 1,
  cascade_of payment.id24,
  provider text NOT NULL,
  contract_id payment.id24,
  token_hash bytea
    CONSTRAINT transactions_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32),
  token_type text
    CONSTRAINT transactions_token_type_is_known CHECK (token_type IN ('oneshot', 'recurring')),
  payment_method_name text NOT NULL,
  -- the card, by a digest under the money zone's key (docs/decisions/0052). Rows of an earlier
  -- version hold 16 bytes until the first start of this one has replaced them
  card_digest bytea
    CONSTRAINT transactions_card_digest_is_32_bytes CHECK (octet_length(card_digest) = 32),
  first6 char(6),
  last4 char(4),
  exp_month smallint,
  exp_year smallint,
  risk_score smallint,
  dead boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  -- what was assessed before the attempt was accepted; NULL: nothing was
  risk json,

  PRIMARY KEY (order_id, attempt)
) WITH (fillfactor = 90);

CREATE UNIQUE INDEX one_live_attempt ON payment.transactions (order_id) WHERE NOT dead;

CREATE UNIQUE INDEX one_shot_once ON payment.transactions (merchant_account_id, token_hash)
  WHERE token_type = 'oneshot' AND cascade_of IS NULL;

-- may a card be deleted, or does an order under way still need it?
CREATE INDEX transactions_by_recurring_token
  ON payment.transactions (merchant_account_id, token_hash)
  WHERE token_type = 'recurring';

-- by its id alone: ids follow time, so a range of pages is enough
CREATE INDEX transactions_by_id ON payment.transactions USING brin (id)
  WITH (pages_per_range = 64, autosummarize = on);

-- empty as soon as the rows of earlier versions are done
CREATE INDEX transactions_old_cards ON payment.transactions (merchant_account_id, card_digest)
  WHERE octet_length(card_digest) = 16;

ALTER TABLE payment.transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.transactions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.transactions TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.transactions TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.transactions TO payment_app;
GRANT UPDATE (risk_score, dead) ON payment.transactions TO payment_app;
GRANT SELECT ON payment.transactions TO payment_queue;
GRANT UPDATE (card_digest) ON payment.transactions TO payment_queue;
