-- The clock never goes back, once somebody may call the vault. Called by the trigger never_back of
-- the clock.
CREATE OR REPLACE FUNCTION vault.never_back()
RETURNS trigger
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM vault.api_keys) THEN
    RAISE EXCEPTION 'moving back refused on vault.clock' USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END
$$;
