-- Reports that come by themselves, each with the zone whose days it counts.
CREATE TABLE payment.reports (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  name text NOT NULL CONSTRAINT reports_name_has_a_length CHECK (length(name) BETWEEN 1 AND 60),
  kind text NOT NULL
    CONSTRAINT reports_kind_is_known CHECK (
      kind IN ('orders', 'captures', 'refunds', 'disputes')
    ),
  format text NOT NULL
    CONSTRAINT reports_format_is_known CHECK (format IN ('csv', 'jsonl', 'xlsx')),
  every text NOT NULL
    CONSTRAINT reports_every_is_known CHECK (every IN ('daily', 'weekly', 'monthly')),
  zone text NOT NULL,
  next_at timestamptz NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, id)
);

CREATE INDEX reports_due ON payment.reports (next_at);

ALTER TABLE payment.reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.reports FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.reports TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.reports TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.reports TO payment_app;
GRANT UPDATE (next_at) ON payment.reports TO payment_app;
GRANT SELECT ON payment.reports TO payment_queue;
