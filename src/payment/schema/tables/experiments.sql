-- Two versions of routing rules compared on live orders: those of the group `a` go by the rules in
-- force, those of `b` by the other version (docs/decisions/0114).
CREATE TABLE payment.experiments (
  merchant_account_id payment.id24 NOT NULL,
  number int NOT NULL CONSTRAINT experiments_number_is_positive CHECK (number > 0),
  version_a int NOT NULL,
  version_b int NOT NULL,
  -- of b, in basis points
  share int NOT NULL CONSTRAINT experiments_share_is_a_part CHECK (share BETWEEN 1 AND 9999),
  -- what stays in one group
  subject text NOT NULL
    CONSTRAINT experiments_subject_is_known CHECK (subject IN ('order', 'customer', 'card')),
  method text NOT NULL
    CONSTRAINT experiments_method_is_known CHECK (method IN ('fixed', 'sequential')),
  started_at timestamptz NOT NULL DEFAULT payment.now(),
  ends_at timestamptz NOT NULL,
  started_by text NOT NULL
    CONSTRAINT experiments_started_by_has_a_length CHECK (length(started_by) BETWEEN 1 AND 254),
  reason text NOT NULL,
  -- which is better; none: no difference was found
  verdict text
    CONSTRAINT experiments_verdict_is_known CHECK (verdict IN ('a', 'b', 'none')),
  verdict_at timestamptz,
  ended_at timestamptz,
  ended_by text,
  end_reason text,

  CONSTRAINT experiments_versions_differ CHECK (version_a <> version_b),
  PRIMARY KEY (merchant_account_id, number)
);

CREATE UNIQUE INDEX one_experiment ON payment.experiments (merchant_account_id)
  WHERE ended_at IS NULL;

ALTER TABLE payment.experiments ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.experiments FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.experiments TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.experiments TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.experiments TO payment_app;
GRANT UPDATE (verdict, verdict_at, ended_at, ended_by, end_reason)
  ON payment.experiments TO payment_app;
