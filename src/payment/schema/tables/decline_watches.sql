-- What the decline detector stands at (core/routing/decline-watch.ts). Figures of contracts, which
-- every process reads of all accounts; no payment and no card.
CREATE TABLE payment.decline_watches (
  family text PRIMARY KEY,
  -- by contract, each with its provider
  watches json NOT NULL,
  -- one of them is given fewer payments than its rules give it
  unwell boolean NOT NULL,
  watched_to timestamptz NOT NULL
);

CREATE INDEX decline_watches_unwell ON payment.decline_watches (family) WHERE unwell;

GRANT SELECT, INSERT, UPDATE ON payment.decline_watches TO payment_app;
