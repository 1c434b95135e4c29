-- The clock of a sandbox may be moved ahead by the vault itself, when the money zone asks for it over the link; never back.
GRANT UPDATE (shift) ON vault.clock TO vault_app;
ALTER TABLE vault.clock ADD CHECK (shift >= '0');
CREATE FUNCTION vault.never_back() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'moving back refused on vault.clock' USING ERRCODE = '23514'; END $$;
CREATE TRIGGER never_back BEFORE UPDATE ON vault.clock FOR EACH ROW WHEN (NEW.shift < OLD.shift) EXECUTE FUNCTION vault.never_back();
