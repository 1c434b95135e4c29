-- Each statement is planned for the largest merchant account (docs/decisions/0172).
DO $$
DECLARE
  grown text;
BEGIN
  FOREACH grown IN ARRAY ARRAY['cards', 'fingerprints', 'forwards', 'idempotency_keys']
  LOOP
    EXECUTE format(
      'ALTER TABLE vault.%I ALTER COLUMN merchant_account_id SET (n_distinct = 1)', grown);
    -- an empty table stays one of which nothing is known: it is planned for as if it had ten pages
    IF EXISTS (SELECT FROM pg_class WHERE oid = format('vault.%I', grown)::regclass AND reltuples > 0) THEN
      EXECUTE format('ANALYZE vault.%I', grown);
    END IF;
  END LOOP;
END
$$;
