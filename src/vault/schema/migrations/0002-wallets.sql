-- Cards that a wallet's payload brought, and network tokens with their cryptograms
-- (docs/decisions/0067).
ALTER TABLE vault.cards
  -- null: a card whose number was typed, or a token of a partner
  ADD COLUMN token_kind text
    CONSTRAINT cards_token_kind_is_known CHECK (
      token_kind IN ('google_pay', 'apple_pay', 'network_token')
    ),
  -- its number stands for a card and is not the card's own
  ADD COLUMN is_network_token boolean NOT NULL DEFAULT false,
  -- what the payer approved in the wallet, where the wallet says it
  ADD COLUMN approved_minor bigint,
  ADD COLUMN approved_currency text,
  ADD CONSTRAINT cards_only_wallets_pay_once CHECK (token_kind IS NULL OR kind = 'oneshot'),
  ADD CONSTRAINT cards_approved_whole CHECK (num_nulls(approved_minor, approved_currency) <> 1);

\ir ../tables/wallet_payloads.sql
