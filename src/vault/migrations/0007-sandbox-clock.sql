-- The clock of a sandbox may be moved ahead by the vault itself, when the money zone asks for it over the link; never back, once
-- somebody may call it.
GRANT UPDATE (shift) ON vault.clock TO vault_app;
CREATE FUNCTION vault.never_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM vault.api_keys) THEN RAISE EXCEPTION 'moving back refused on vault.clock' USING ERRCODE = '23514'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER never_back BEFORE UPDATE ON vault.clock FOR EACH ROW WHEN (NEW.shift < OLD.shift) EXECUTE FUNCTION vault.never_back();
