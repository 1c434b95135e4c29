-- Filters of lists in the back office, kept under a name.
CREATE TABLE payment.saved_views (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL,
  person_id payment.id24 NOT NULL,
  name text NOT NULL CONSTRAINT saved_views_name_has_a_length CHECK (length(name) BETWEEN 1 AND 60),
  filters jsonb NOT NULL,
  shared boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX saved_views_by_account ON payment.saved_views (merchant_account_id);

ALTER TABLE payment.saved_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.saved_views FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.saved_views TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.saved_views TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.saved_views TO payment_app;
GRANT UPDATE (name, filters, shared) ON payment.saved_views TO payment_app;
