-- The one clock of the zone. A sandbox may move it ahead for all at once, production never does
-- (checked at start). It never goes back.
CREATE TABLE payment.clock (
  one boolean PRIMARY KEY DEFAULT true CONSTRAINT clock_one_row CHECK (one),
  shift interval NOT NULL DEFAULT '0',
  -- where a sandbox's clock is to go; `driver` moves it there, until `driven_until`
  goal interval NOT NULL DEFAULT '0',
  driven_until timestamptz NOT NULL DEFAULT '-infinity',
  driver payment.id24
);

-- a sandbox without an account has seen nothing yet: its clock may begin at any moment
CREATE TRIGGER never_back BEFORE UPDATE ON payment.clock
  FOR EACH ROW WHEN (NEW.shift < OLD.shift OR NEW.goal < OLD.goal)
  EXECUTE FUNCTION payment.never_back();

GRANT SELECT ON payment.clock TO payment_app;
GRANT UPDATE (shift, goal, driven_until, driver) ON payment.clock TO payment_app;
GRANT SELECT ON payment.clock TO payment_queue;
