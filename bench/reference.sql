-- The least that any correct service must make durable for one paid order. Fixed (docs/decisions/0086): it never changes with the
-- service, so that a ratio against it says something. No partition, no row security, no index but the keys and one to find an
-- order by the merchant's own reference; ids are 12 bytes and follow time.
CREATE SCHEMA reference;

-- What the merchant asked for, before a payer is there.
CREATE TABLE reference.checkouts (
  id bytea PRIMARY KEY,
  account_id bytea NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  request text NOT NULL,
  orders smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 45);

-- A card, sealed; known by the hash of its token.
CREATE TABLE reference.cards (
  token_hash bytea PRIMARY KEY,
  checkout_id bytea NOT NULL,
  sealed bytea NOT NULL
);

-- Written before anything is sent, and again when the outcome is known.
CREATE TABLE reference.orders (
  id bytea PRIMARY KEY,
  account_id bytea NOT NULL,
  checkout_id bytea NOT NULL,
  reference text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  request text NOT NULL,
  state text NOT NULL,
  provider_reference text,
  answer text
) WITH (fillfactor = 45);

CREATE INDEX orders_by_reference ON reference.orders (account_id, reference);

-- That a card was sent for this operation, so that it is never sent again: committed before a byte leaves.
CREATE TABLE reference.sent (
  operation_id bytea PRIMARY KEY,
  at timestamptz NOT NULL
);

-- Double entry: one transfer a row.
CREATE TABLE reference.entries (
  order_id bytea NOT NULL,
  line smallint NOT NULL,
  debit text NOT NULL,
  credit text NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL,
  PRIMARY KEY (order_id, line)
);

-- What notifications are made from.
CREATE TABLE reference.events (
  order_id bytea NOT NULL,
  seq smallint NOT NULL,
  type text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (order_id, seq)
);

GRANT USAGE ON SCHEMA reference TO florin_bench;
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA reference TO florin_bench;
