-- What a provider says against a final state (docs/decisions/0056): kept, the money blocked, asked
-- about, and ended by proof or by a person.
CREATE TABLE payment.contradictions (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  operation_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL
    CONSTRAINT contradictions_kind_is_known CHECK (kind IN (
      'authorize', 'capture', 'refund', 'cancel', 'reversal'
    )),
  held text NOT NULL
    CONSTRAINT contradictions_held_is_known CHECK (held IN ('successful', 'declined', 'not_sent')),
  said text NOT NULL
    CONSTRAINT contradictions_said_is_known CHECK (said IN (
      'approved', 'differs', 'declined', 'corrected', 'reversed', 'not_sent'
    )),
  -- of an approval: what a later capture or refund works on
  provider_ref text,
  amount_minor bigint NOT NULL
    CONSTRAINT contradictions_amount_is_positive CHECK (amount_minor > 0),
  currency char(3) NOT NULL,
  -- open, or who was right
  state text NOT NULL DEFAULT 'open'
    CONSTRAINT contradictions_state_is_known CHECK (state IN ('open', 'ours', 'theirs')),
  opened_at timestamptz NOT NULL,
  settled_at timestamptz,
  -- when the provider is asked next
  due_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 0,

  CONSTRAINT contradictions_settled_unless_open CHECK ((state = 'open') = (settled_at IS NULL))
);

CREATE UNIQUE INDEX one_open_contradiction ON payment.contradictions (order_id, operation_id)
  WHERE state = 'open';

CREATE INDEX contradictions_of_operation ON payment.contradictions (operation_id)
  WHERE state = 'open';

CREATE INDEX contradictions_due ON payment.contradictions (due_at) WHERE state = 'open';

CREATE INDEX contradictions_of_account ON payment.contradictions (merchant_account_id, opened_at)
  WHERE state = 'open';

ALTER TABLE payment.contradictions ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.contradictions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.contradictions TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.contradictions TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.contradictions TO payment_app;
GRANT UPDATE (state, settled_at, due_at) ON payment.contradictions TO payment_app;
GRANT SELECT, UPDATE ON payment.contradictions TO payment_queue;
