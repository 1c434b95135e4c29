-- Disputes are answered: until when, with what, and what became of it. reference: its provider's own
-- id of it. due_reckoned: by us, since its provider did not say. remind_at: when people are reminded
-- next.
ALTER TABLE payment.disputes
  ADD COLUMN reference text,
  ADD COLUMN due_at timestamptz,
  ADD COLUMN due_reckoned boolean NOT NULL DEFAULT false,
  ADD COLUMN remind_at timestamptz,
  ADD COLUMN answered_at timestamptz,
  ADD COLUMN answered_as text;

-- those that are open now are answered as soon as any provider asks for it
ALTER TABLE payment.disputes NO FORCE ROW LEVEL SECURITY;
UPDATE payment.disputes
SET due_at = opened_at + interval '7 days', due_reckoned = true
WHERE state = 'opened';
ALTER TABLE payment.disputes FORCE ROW LEVEL SECURITY;

ALTER TABLE payment.disputes
  ADD CONSTRAINT disputes_answered_as_is_known CHECK (
    answered_as IN ('submitted', 'accepted', 'elsewhere')
  ),
  ADD CONSTRAINT disputes_answered_has_a_moment CHECK ((answered_as IS NULL) = (answered_at IS NULL));

CREATE INDEX disputes_reminded ON payment.disputes (remind_at) WHERE remind_at IS NOT NULL;

-- pages of the desk: all of them, and the open ones by what is due first
CREATE INDEX disputes_in_turn ON payment.disputes (merchant_account_id, id);
CREATE INDEX disputes_open ON payment.disputes (merchant_account_id, due_at, id)
  WHERE state = 'opened';
CREATE INDEX disputes_ended ON payment.disputes (updated_at) WHERE state <> 'opened';

GRANT UPDATE (reference, due_at, due_reckoned, remind_at, answered_at, answered_as)
  ON payment.disputes TO payment_app;
GRANT UPDATE (remind_at) ON payment.disputes TO payment_queue;

\ir ../tables/dispute_evidence.sql
\ir ../tables/dispute_files.sql
\ir ../tables/dispute_answers.sql
