-- Payment links: an address that may be shared, whose page makes a checkout for each payer who opens
-- it.
CREATE TABLE payment.payment_links (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  -- opens its page
  handle bytea NOT NULL CONSTRAINT payment_links_handle_is_32_bytes CHECK (octet_length(handle) = 32),
  -- paid by one payer, or by any number of them
  many boolean NOT NULL,
  currency char(3) NOT NULL,
  -- fixed; or the payer says it, within bounds
  amount_minor bigint,
  least_minor bigint,
  most_minor bigint,
  state text NOT NULL DEFAULT 'active'
    CONSTRAINT payment_links_state_is_known CHECK (state IN ('active', 'paused', 'ended')),
  body json NOT NULL,
  -- how many checkouts were made from it
  opened int NOT NULL DEFAULT 0,
  -- the last of them; of a link for one payment no other can be paid
  checkout_id payment.id24,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  CONSTRAINT payment_links_amount_is_fixed_or_within_bounds CHECK (
    CASE
      WHEN amount_minor IS NULL THEN
        least_minor IS NOT NULL
        AND most_minor IS NOT NULL
        AND least_minor > 0
        AND least_minor <= most_minor
      ELSE amount_minor > 0 AND least_minor IS NULL AND most_minor IS NULL
    END
  )
);

CREATE UNIQUE INDEX payment_links_by_handle ON payment.payment_links (handle);

CREATE INDEX payment_links_by_account ON payment.payment_links (merchant_account_id, id);

ALTER TABLE payment.payment_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.payment_links FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.payment_links TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.payment_links TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.payment_links TO payment_app;
GRANT UPDATE (state, opened, checkout_id) ON payment.payment_links TO payment_app;
GRANT SELECT ON payment.payment_links TO payment_queue;
