-- Row-level security asks no index with what `->>` gives, which is not leakproof: each payment of a subscription read all
-- checkouts of its account that began one. A column of its own is compared as it stands.
ALTER TABLE payment.checkouts ADD COLUMN subscription_id text
  GENERATED ALWAYS AS (body ->> 'subscription_id') STORED;
DROP INDEX payment.checkouts_by_subscription;
CREATE INDEX checkouts_by_subscription
  ON payment.checkouts (merchant_account_id, subscription_id)
  WHERE subscription_id IS NOT NULL;
