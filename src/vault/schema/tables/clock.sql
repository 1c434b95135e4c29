-- The clock of the card zone. That of a sandbox may be moved ahead by the vault, when the money
-- zone asks for it over the link; never back, once somebody may call it.
CREATE TABLE vault.clock (
  one boolean PRIMARY KEY DEFAULT true CONSTRAINT clock_one_row CHECK (one),
  shift interval NOT NULL DEFAULT '0'
);

CREATE TRIGGER never_back BEFORE UPDATE ON vault.clock
  FOR EACH ROW WHEN (NEW.shift < OLD.shift)
  EXECUTE FUNCTION vault.never_back();

GRANT SELECT ON vault.clock TO vault_app;
GRANT UPDATE (shift) ON vault.clock TO vault_app;
