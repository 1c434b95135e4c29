-- A statement has one plan for all merchant accounts. PostgreSQL takes an account to have as many rows
-- as the average one, and may then read all rows of the account of each batch, which a large account
-- pays for. One account in all: what it takes a condition on the account to find are the rows of the
-- largest one (docs/decisions/0172).
DO $$
DECLARE
  grown text;
BEGIN
  FOREACH grown IN ARRAY ARRAY[
    'authentications', 'checkouts', 'contradictions', 'customer_orders', 'customers', 'disputes',
    'events', 'idempotency_keys', 'ledger_entries', 'notifications', 'operations', 'order_notes',
    'order_search', 'orders', 'provider_events', 'retries', 'risk_sightings', 'saved_cards',
    'search_words', 'settled_fees', 'transactions'
  ]
  LOOP
    EXECUTE format(
      'ALTER TABLE payment.%I ALTER COLUMN merchant_account_id SET (n_distinct = 1)', grown);
    -- an empty table stays one of which nothing is known: it is planned for as if it had ten pages
    IF EXISTS (SELECT FROM pg_class WHERE oid = format('payment.%I', grown)::regclass AND reltuples > 0) THEN
      EXECUTE format('ANALYZE payment.%I', grown);
    END IF;
  END LOOP;
END
$$;
