-- Answers to disputes that go to their provider: the intent is written before a byte leaves, and
-- each step with what it left.
CREATE TABLE payment.dispute_answers (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  dispute_id payment.id24 NOT NULL,
  kind text NOT NULL CONSTRAINT dispute_answers_kind_is_known CHECK (kind IN ('submit', 'accept')),
  state text NOT NULL DEFAULT 'requested'
    CONSTRAINT dispute_answers_state_is_known CHECK (
      state IN ('requested', 'in_doubt', 'taken', 'refused')
    ),
  -- what its steps left, short texts by name
  kept jsonb NOT NULL DEFAULT '{}',
  -- when what counts was sent
  sent_at timestamptz,
  tries int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT payment.now(),
  note text NOT NULL DEFAULT '',
  requested_by text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT payment.now(),
  ended_at timestamptz,

  PRIMARY KEY (merchant_account_id, id)
);

-- one at a time
CREATE UNIQUE INDEX dispute_answers_under_way
  ON payment.dispute_answers (merchant_account_id, dispute_id)
  WHERE state IN ('requested', 'in_doubt', 'taken');

CREATE INDEX dispute_answers_of ON payment.dispute_answers (merchant_account_id, dispute_id, id);

CREATE INDEX dispute_answers_due ON payment.dispute_answers (due_at)
  WHERE state IN ('requested', 'in_doubt');

ALTER TABLE payment.dispute_answers ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.dispute_answers FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.dispute_answers TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.dispute_answers TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.dispute_answers TO payment_app;
GRANT UPDATE (state, kept, sent_at, tries, due_at, note, ended_at)
  ON payment.dispute_answers TO payment_app;
GRANT SELECT ON payment.dispute_answers TO payment_queue;
GRANT UPDATE (tries, due_at) ON payment.dispute_answers TO payment_queue;
