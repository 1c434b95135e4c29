-- An operation may take several calls. What they leave is kept, and the payer may have to act at the provider.
ALTER TABLE payment.operations
  ADD COLUMN step text,
  ADD COLUMN kept json NOT NULL DEFAULT '{}',
  ADD COLUMN money_sent boolean NOT NULL DEFAULT false,
  ADD COLUMN key_round int NOT NULL DEFAULT 0;

GRANT UPDATE (step, kept, money_sent, key_round) ON payment.operations TO payment_app;

ALTER TABLE payment.authentications
  ADD COLUMN provider_run boolean NOT NULL DEFAULT false,
  ADD COLUMN form json;

GRANT UPDATE (form) ON payment.authentications TO payment_app;

CREATE SEQUENCE payment.traces AS bigint;
GRANT USAGE ON SEQUENCE payment.traces TO payment_app;
