-- How many reports wait, and how many bytes are kept, from one index.
DROP INDEX payment.report_runs_waiting;

CREATE INDEX report_runs_held ON payment.report_runs (merchant_account_id, state)
  INCLUDE (id, size)
  WHERE state IN ('waiting', 'done');
