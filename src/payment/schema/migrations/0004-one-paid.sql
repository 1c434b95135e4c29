-- Of orders of one reference that wait for their payers, one is paid (docs/decisions/0066).
\ir ../functions/refuse_overtaken.sql

CREATE TRIGGER one_paid AFTER UPDATE OF state ON payment.authentications
  FOR EACH ROW WHEN (OLD.state <> NEW.state AND NEW.state IN ('successful', 'declined'))
  EXECUTE FUNCTION payment.refuse_overtaken();
