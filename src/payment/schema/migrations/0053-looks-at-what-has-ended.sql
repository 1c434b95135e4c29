-- What looks for rows whose time is over reads those alone (docs/decisions/0174).

-- Merchants choose when a checkout ends: one of thirty days among thousands of fifteen minutes made
-- its range of pages one that is read every five seconds for a month. This kind keeps the values
-- that stand apart apart; and a range is summed up when the next one begins, not at a later vacuum.
DROP INDEX payment.checkouts_expiry;
CREATE INDEX checkouts_expiry ON payment.checkouts
  USING brin (expires_at timestamptz_minmax_multi_ops) WITH (autosummarize = on);

-- Rows are deleted and their room is used again, but a range never forgets the oldest that it had.
DROP INDEX payment.idempotency_keys_age;
CREATE INDEX idempotency_keys_age ON payment.idempotency_keys (created_at);

-- Parts that are there; those that come get it as they are made (make_part).
DO $$
DECLARE
  ranges regclass;
BEGIN
  FOR ranges IN
    SELECT i.inhrelid
    FROM pg_inherits i
    WHERE i.inhparent = 'payment.observations_by_transaction'::regclass
  LOOP
    EXECUTE format('ALTER INDEX %s SET (autosummarize = on)', ranges);
  END LOOP;
END
$$;
