-- Refunds that one person asks for and a second one approves or declines. Nothing has moved before.
CREATE TABLE payment.refund_requests (
  id payment.id24 PRIMARY KEY,
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  order_id payment.id24 NOT NULL,
  form jsonb NOT NULL,
  amount_minor bigint NOT NULL
    CONSTRAINT refund_requests_amount_is_positive CHECK (amount_minor > 0),
  currency text NOT NULL,
  reason text NOT NULL,
  requested_by payment.id24 NOT NULL REFERENCES payment.people,
  requested_email text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT payment.now(),
  state text NOT NULL DEFAULT 'open'
    CONSTRAINT refund_requests_state_is_known CHECK (state IN ('open', 'approved', 'declined')),
  decided_by payment.id24 REFERENCES payment.people,
  decided_email text,
  decided_at timestamptz,
  -- what was then accepted
  operation_id payment.id24,

  CONSTRAINT refund_requests_decided_unless_open CHECK ((state = 'open') = (decided_by IS NULL)),
  CONSTRAINT refund_requests_approved_has_operation CHECK (
    (state = 'approved') = (operation_id IS NOT NULL)
  ),
  CONSTRAINT refund_requests_approved_by_another CHECK (
    state <> 'approved'
    OR decided_by <> requested_by
  )
);

CREATE INDEX refund_requests_by_account
  ON payment.refund_requests (merchant_account_id, state, created_at);

ALTER TABLE payment.refund_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.refund_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.refund_requests TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());

GRANT SELECT, INSERT ON payment.refund_requests TO payment_app;
GRANT UPDATE (
  state, decided_by, decided_email, decided_at, operation_id
) ON payment.refund_requests TO payment_app;
