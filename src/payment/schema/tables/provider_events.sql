-- The inbox of providers' messages: stored, answered, then applied. Ids of messages are a
-- provider's own for one account: two accounts may have the same.
CREATE TABLE payment.provider_events (
  provider text NOT NULL,
  event_ref text NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  body json NOT NULL,
  reason text,
  state text NOT NULL DEFAULT 'received'
    CONSTRAINT provider_events_state_is_known CHECK (state IN (
      'received', 'applied', 'ignored', 'parked'
    )),
  received_at timestamptz NOT NULL DEFAULT payment.now(),
  -- a message that could not be applied is looked at again behind those that wait
  looked_at timestamptz,

  CONSTRAINT provider_events_passed_over_has_reason CHECK (
    state IN ('received', 'applied') OR reason IS NOT NULL
  ),
  PRIMARY KEY (merchant_account_id, provider, event_ref)
);

CREATE INDEX provider_events_open ON payment.provider_events (received_at)
  WHERE state IN ('received', 'parked');

ALTER TABLE payment.provider_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.provider_events FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.provider_events TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.provider_events TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.provider_events TO payment_app;
GRANT UPDATE (reason, state) ON payment.provider_events TO payment_app;
GRANT SELECT ON payment.provider_events TO payment_queue;
GRANT UPDATE (looked_at) ON payment.provider_events TO payment_queue;
