-- Checkouts. That one is processing, completed or declined is derived from its orders.
CREATE TABLE payment.checkouts (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL,
  amount_minor bigint NOT NULL CONSTRAINT checkouts_amount_is_positive CHECK (amount_minor > 0),
  currency char(3) NOT NULL,
  status text NOT NULL DEFAULT 'created'
    CONSTRAINT checkouts_status_is_known CHECK (status IN ('created', 'cancelled', 'expired')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  body json NOT NULL,
  -- opens its hosted page
  page_handle bytea
    CONSTRAINT checkouts_page_handle_is_32_bytes CHECK (octet_length(page_handle) = 32),
  attempts smallint NOT NULL DEFAULT 0,
  max_attempts smallint NOT NULL DEFAULT 3
    CONSTRAINT checkouts_max_attempts_is_in_range CHECK (max_attempts BETWEEN 1 AND 10),
  -- a column of its own: row-level security asks no index with what ->> gives, which is not
  -- leakproof
  subscription_id text GENERATED ALWAYS AS (body ->> 'subscription_id') STORED
) WITH (fillfactor = 55);

CREATE INDEX checkouts_expiry ON payment.checkouts USING brin (expires_at);

CREATE UNIQUE INDEX checkouts_by_page ON payment.checkouts (page_handle)
  WHERE page_handle IS NOT NULL;

-- a subscription is known by the checkout that made it
CREATE INDEX checkouts_by_subscription ON payment.checkouts (merchant_account_id, subscription_id)
  WHERE subscription_id IS NOT NULL;

ALTER TABLE payment.checkouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.checkouts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.checkouts TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.checkouts TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.checkouts TO payment_app;
GRANT UPDATE (status, attempts, max_attempts) ON payment.checkouts TO payment_app;
GRANT SELECT ON payment.checkouts TO payment_queue;
GRANT UPDATE (status) ON payment.checkouts TO payment_queue;
