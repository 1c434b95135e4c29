-- First tries that were approved, or declined by the contract's side and not for the payer's own
-- doing, as each process counted them; kept for an hour. A crash of the database loses seconds.
CREATE UNLOGGED TABLE payment.decline_counts (
  at timestamptz NOT NULL DEFAULT payment.now(),
  -- account and scheme: contracts of one family are compared with each other
  family text NOT NULL,
  contract_id payment.id24 NOT NULL,
  provider text NOT NULL,
  seen int NOT NULL,
  bad int NOT NULL
);

CREATE INDEX decline_counts_by_time ON payment.decline_counts (at);

GRANT SELECT, INSERT, DELETE ON payment.decline_counts TO payment_app;
