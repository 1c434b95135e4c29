-- Authorizations that a card's scheme saw declined, and those without a payer that are under way:
-- what the limits of schemes count (docs/decisions/0097).
CREATE TABLE payment.declines (
  merchant_account_id payment.id24 NOT NULL,
  -- transactions.card_digest
  card bytea NOT NULL CONSTRAINT declines_card_is_32_bytes CHECK (octet_length(card) = 32),
  -- when the try was accepted
  at timestamptz NOT NULL,
  transaction_id payment.id24 NOT NULL,
  -- contracts of one merchant number count together
  acceptor text NOT NULL,
  -- p: the payer was there; m: not
  initiator char(1) NOT NULL CONSTRAINT declines_initiator_is_known CHECK (initiator IN ('p', 'm')),
  scheme text NOT NULL,
  amount_minor bigint NOT NULL,
  currency char(3) NOT NULL,
  -- not decided yet: it counts as long as it may end declined
  open boolean NOT NULL,
  -- of Visa, 1 to 4
  category smallint,
  -- the scheme's advice, source and code
  advice text,
  not_before timestamptz,
  -- never again with this card, until it changes: its date of expiry is another one
  stopped boolean NOT NULL DEFAULT false,
  expires date,

  PRIMARY KEY (merchant_account_id, card, at, transaction_id)
);

CREATE INDEX declines_age ON payment.declines (at);

ALTER TABLE payment.declines ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.declines FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.declines TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.declines TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.declines TO payment_app;
GRANT UPDATE (open, category, advice, not_before, stopped) ON payment.declines TO payment_app;
GRANT SELECT, DELETE ON payment.declines TO payment_queue;
