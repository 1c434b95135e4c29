-- What card schemes limit is counted; a try that was held back says so, and a decline keeps what
-- follows from it.
\ir ../tables/declines.sql

ALTER TABLE payment.contracts
  ADD COLUMN acceptor text
    CONSTRAINT contracts_acceptor_is_a_name CHECK (length(acceptor) BETWEEN 1 AND 64);

GRANT UPDATE (acceptor) ON payment.contracts TO payment_app;

ALTER TABLE payment.transactions
  ADD COLUMN decline json,
  ADD COLUMN held json;

GRANT UPDATE (decline, held) ON payment.transactions TO payment_app;

-- what an account held back; nearly every row is none of them
CREATE INDEX transactions_held ON payment.transactions (merchant_account_id, created_at)
  WHERE held IS NOT NULL;
