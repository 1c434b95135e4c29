-- One report that is made or was: from when to when, and what became of it. report_id: of the one that
-- comes by itself; NULL: asked for once.
CREATE TABLE payment.report_runs (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  report_id payment.id24,
  name text NOT NULL,
  kind text NOT NULL,
  format text NOT NULL,
  zone text NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'waiting'
    CONSTRAINT report_runs_state_is_known CHECK (state IN ('waiting', 'done', 'failed', 'gone')),
  rows int NOT NULL DEFAULT 0,
  size bigint NOT NULL DEFAULT 0,
  tries int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT payment.now(),
  note text NOT NULL DEFAULT '',
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT payment.now(),
  made_at timestamptz,

  PRIMARY KEY (merchant_account_id, id),
  -- a schedule makes no span twice
  CONSTRAINT report_runs_span_once UNIQUE (merchant_account_id, report_id, from_at)
);

CREATE INDEX report_runs_due ON payment.report_runs (due_at) WHERE state = 'waiting';

CREATE INDEX report_runs_waiting ON payment.report_runs (merchant_account_id)
  WHERE state = 'waiting';

CREATE INDEX report_runs_kept ON payment.report_runs (created_at) WHERE state = 'done';

ALTER TABLE payment.report_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.report_runs FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.report_runs TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.report_runs TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.report_runs TO payment_app;
GRANT UPDATE (state, rows, size, due_at, note, made_at) ON payment.report_runs TO payment_app;
GRANT SELECT ON payment.report_runs TO payment_queue;
GRANT UPDATE (state, tries, due_at) ON payment.report_runs TO payment_queue;
