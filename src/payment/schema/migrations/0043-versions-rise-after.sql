-- A trigger before the change of a row locks it once more, which is a record in the log for each
-- order.
DROP TRIGGER versions_rise ON payment.orders;
CREATE TRIGGER versions_rise AFTER UPDATE ON payment.orders
  FOR EACH ROW WHEN (NEW.version <= OLD.version)
  EXECUTE FUNCTION payment.refuse('version change');
