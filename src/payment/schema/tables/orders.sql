-- Orders. Orders, transactions and operations are only ever written by a statement that has just
-- written or locked the row they belong to, and are read through it: the keys of the lower ones
-- begin with the order, and no foreign key locks a row a second time (docs/decisions/0009).
CREATE TABLE payment.orders (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  checkout_id payment.id24,
  order_merchant_id text NOT NULL,
  amount_minor bigint NOT NULL CONSTRAINT orders_amount_is_positive CHECK (amount_minor > 0),
  currency char(3) NOT NULL,
  body json NOT NULL,
  fingerprint bytea NOT NULL
    CONSTRAINT orders_fingerprint_is_16_bytes CHECK (octet_length(fingerprint) = 16),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- where it stands
  status text NOT NULL
    CONSTRAINT orders_status_is_known CHECK (status IN (
      'created', 'risk_assessment_requested', 'risk_assessment_approved',
      'risk_assessment_declined', 'authentication_requested', 'authentication_successful',
      'authentication_declined', 'authorization_requested', 'authorization_successful',
      'authorization_declined', 'authorization_cancelled', 'authorization_expired',
      'authorization_cancel_requested', 'authorization_cancel_declined', 'capture_requested',
      'capture_successful', 'capture_declined', 'refund_requested', 'refund_successful',
      'refund_declined'
    )),
  live boolean NOT NULL,
  version int NOT NULL DEFAULT 1,
  -- of its next event
  next_seq int NOT NULL DEFAULT 1,
  -- the transaction that holds the money
  winner_id payment.id24,
  attempts smallint NOT NULL DEFAULT 1,
  max_attempts smallint NOT NULL,
  -- the money, in minor units of the currency
  authorized_minor bigint NOT NULL DEFAULT 0,
  released_minor bigint NOT NULL DEFAULT 0,
  capturing_minor bigint NOT NULL DEFAULT 0,
  captured_minor bigint NOT NULL DEFAULT 0,
  refunding_minor bigint NOT NULL DEFAULT 0,
  refunded_minor bigint NOT NULL DEFAULT 0,
  cancel_pending boolean NOT NULL DEFAULT false,
  -- an operation of the order has an open contradiction; NULL for nearly every order, and then
  -- without room
  contradicted boolean,
  -- what a person ruled that the provider did beyond what the counters allow
  above_minor bigint CONSTRAINT orders_above_is_positive CHECK (above_minor > 0),

  CONSTRAINT orders_live_follows_status CHECK (live = (status NOT IN (
    'risk_assessment_declined', 'authentication_declined', 'authorization_declined',
    'authorization_cancelled', 'authorization_expired'
  ))),
  CONSTRAINT orders_authorized_at_most_amount CHECK (authorized_minor BETWEEN 0 AND amount_minor),
  CONSTRAINT orders_no_cancel_beside_capture CHECK (NOT cancel_pending OR capturing_minor = 0),
  CONSTRAINT orders_captured_at_most_authorized CHECK (
    capturing_minor >= 0
    AND captured_minor >= 0
    AND released_minor >= 0
    AND capturing_minor + captured_minor + released_minor
      <= authorized_minor + coalesce(above_minor, 0)
  ),
  CONSTRAINT orders_refunded_at_most_captured CHECK (
    refunding_minor >= 0
    AND refunded_minor >= 0
    AND refunding_minor + refunded_minor
      <= captured_minor + coalesce(above_minor, 0)
  ),
  PRIMARY KEY (merchant_account_id, id)
) WITH (fillfactor = 55);

-- on live, not on status: updates stay HOT
CREATE UNIQUE INDEX one_live_order ON payment.orders (checkout_id) WHERE live;

CREATE INDEX orders_by_checkout ON payment.orders (checkout_id, id)
  WHERE checkout_id IS NOT NULL AND NOT live;

CREATE INDEX orders_by_reference ON payment.orders (merchant_account_id, order_merchant_id);

-- one commit may bring several changes of status, and each has a version of its own
CREATE TRIGGER versions_rise BEFORE UPDATE ON payment.orders
  FOR EACH ROW WHEN (NEW.version <= OLD.version)
  EXECUTE FUNCTION payment.refuse('version change');

ALTER TABLE payment.orders ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.orders FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.orders TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.orders TO payment_queue
  USING (true)
  WITH CHECK (true);

-- never amount_minor, currency or merchant_account_id
GRANT SELECT, INSERT ON payment.orders TO payment_app;
GRANT UPDATE (
  order_merchant_id, body, fingerprint, updated_at, status, live, version, next_seq, winner_id,
  attempts, max_attempts, authorized_minor, released_minor, capturing_minor, captured_minor,
  refunding_minor, refunded_minor, cancel_pending, contradicted, above_minor
) ON payment.orders TO payment_app;
GRANT SELECT ON payment.orders TO payment_queue;
