-- Messages of providers belong to a contract, and are kept as the bytes that came. Credentials of a
-- contract that prove them have a sealed home of their own.
DROP FUNCTION IF EXISTS payment.claim_events(interval, int);

ALTER TABLE payment.provider_events
  ADD COLUMN contract_id payment.id24,
  ALTER COLUMN order_id DROP NOT NULL,
  ALTER COLUMN body TYPE bytea USING convert_to(body::text, 'UTF8');

-- the rows of all accounts: the owner is bound by their policies, too
ALTER TABLE payment.provider_events NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payment.transactions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payment.contracts NO FORCE ROW LEVEL SECURITY;

-- the contract that its order was paid under, else the first of that provider
UPDATE payment.provider_events e
SET contract_id = coalesce(
  (
    SELECT t.contract_id
    FROM payment.transactions t
    WHERE t.order_id = e.order_id
      AND t.merchant_account_id = e.merchant_account_id
      AND t.provider = e.provider
      AND t.contract_id IS NOT NULL
    ORDER BY t.attempt DESC
    LIMIT 1
  ),
  (
    SELECT c.id
    FROM payment.contracts c
    WHERE c.merchant_account_id = e.merchant_account_id AND c.provider = e.provider
    ORDER BY c.priority, c.id
    LIMIT 1
  ),
  -- an account without such a contract was named: kept under no contract there is
  '\x000000000000000000000000'
);

ALTER TABLE payment.provider_events FORCE ROW LEVEL SECURITY;
ALTER TABLE payment.transactions FORCE ROW LEVEL SECURITY;
ALTER TABLE payment.contracts FORCE ROW LEVEL SECURITY;

ALTER TABLE payment.provider_events
  ALTER COLUMN contract_id SET NOT NULL,
  DROP CONSTRAINT provider_events_pkey,
  ADD PRIMARY KEY (merchant_account_id, contract_id, event_ref);

-- what is not applied is shown, the newest first
CREATE INDEX provider_events_parked
  ON payment.provider_events (merchant_account_id, received_at DESC)
  WHERE state = 'parked';

GRANT UPDATE (order_id) ON payment.provider_events TO payment_app;

-- an operation that a provider names by its own id
CREATE INDEX operations_by_reference
  ON payment.operations (merchant_account_id, provider_ref)
  WHERE provider_ref IS NOT NULL;

-- values that prove messages, sealed under the money zone's own key, and when each was set: the
-- newest first. The vault has none of them
ALTER TABLE payment.contracts
  ADD COLUMN checks_sealed bytea,
  ADD COLUMN checks_set jsonb NOT NULL DEFAULT '{}';

GRANT UPDATE (checks_sealed, checks_set) ON payment.contracts TO payment_app;
