-- Cards, and tokens of partners in place of a card.
CREATE TABLE vault.cards (
  token_hash bytea PRIMARY KEY
    CONSTRAINT cards_token_hash_is_32_bytes CHECK (octet_length(token_hash) = 32),
  merchant_account_id vault.id24 NOT NULL,
  environment text NOT NULL
    CONSTRAINT cards_environment_is_known CHECK (environment IN ('sandbox', 'production')),
  kind text NOT NULL CONSTRAINT cards_kind_is_known CHECK (kind IN ('oneshot', 'recurring')),
  -- the checkout it was typed for. A saved card is bound to it until a payment has left with it
  checkout_id vault.id24,
  card_unique_id uuid,
  sealed bytea NOT NULL,
  data_key_id bigint NOT NULL,
  scheme text NOT NULL,
  -- all brands of a co-badged card, by commas
  schemes text,
  first6 char(6),
  last4 char(4),
  exp_month smallint CONSTRAINT cards_exp_month_is_in_range CHECK (exp_month BETWEEN 1 AND 12),
  exp_year smallint,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  -- a recurring card with a time here is removed: no new order may use it, and it is kept only for
  -- one under way
  delete_after timestamptz,
  -- the first order that sent it
  spent_order_id vault.id24,
  -- the last time that a first payment, or the first one since its cvc was entered again, was sent
  spent_at timestamptz,
  -- a token of a partner in place of a card: sealed like one, always recurring, and good there only
  partner text,
  subscription_id vault.id24,
  cvc_entered_at timestamptz,

  CONSTRAINT cards_oneshot_ends CHECK (
    kind = 'recurring'
    OR expires_at IS NOT NULL AND delete_after IS NOT NULL
  ),
  CONSTRAINT card_or_partner CHECK (
    CASE
      WHEN partner IS NULL
      THEN num_nulls(card_unique_id, first6, last4, exp_month, exp_year) = 0
        AND subscription_id IS NULL
      ELSE kind = 'recurring' AND subscription_id IS NOT NULL
    END
  )
) WITH (fillfactor = 55);

CREATE INDEX cards_to_delete ON vault.cards USING brin (delete_after);

CREATE INDEX cards_by_checkout ON vault.cards (checkout_id) WHERE checkout_id IS NOT NULL;

CREATE INDEX cards_by_key ON vault.cards (data_key_id);

-- is another token of the same card left?
CREATE INDEX recurring_by_card ON vault.cards (merchant_account_id, card_unique_id)
  WHERE kind = 'recurring';

GRANT SELECT, INSERT, DELETE ON vault.cards TO vault_app;
GRANT UPDATE (
  sealed, data_key_id, delete_after, spent_order_id, spent_at, cvc_entered_at
) ON vault.cards TO vault_app;
