-- Files that are shown against a dispute, sealed, one a field. Their bytes go long after the end, the
-- hash stays.
CREATE TABLE payment.dispute_files (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  dispute_id payment.id24 NOT NULL,
  field text NOT NULL,
  name text NOT NULL CONSTRAINT dispute_files_name_has_a_length CHECK (length(name) BETWEEN 1 AND 255),
  type text NOT NULL
    CONSTRAINT dispute_files_type_is_known CHECK (
      type IN ('application/pdf', 'image/png', 'image/jpeg')
    ),
  size int NOT NULL CONSTRAINT dispute_files_size_is_in_range CHECK (size BETWEEN 1 AND 5242880),
  sha256 bytea NOT NULL,
  content_sealed bytea,
  added_at timestamptz NOT NULL DEFAULT payment.now(),
  added_by text NOT NULL,

  PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT one_of_a_field UNIQUE (merchant_account_id, dispute_id, field)
);

ALTER TABLE payment.dispute_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.dispute_files FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.dispute_files TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.dispute_files TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.dispute_files TO payment_app;
GRANT SELECT ON payment.dispute_files TO payment_queue;
GRANT UPDATE (content_sealed) ON payment.dispute_files TO payment_queue;
