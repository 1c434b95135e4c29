-- Operations of orders at providers. The row is also the queue entry: state and queue cannot
-- disagree.
CREATE TABLE payment.operations (
  id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL
    CONSTRAINT operations_kind_is_known CHECK (kind IN (
      'authorize', 'capture', 'refund', 'cancel', 'reversal'
    )),
  -- of a refund: its capture; of a reversal, and of the capture of a direct capture: the
  -- authorization
  target_id payment.id24,
  origin text NOT NULL DEFAULT 'merchant'
    CONSTRAINT operations_origin_is_known CHECK (origin IN (
      'merchant', 'recovery', 'provider', 'schedule', 'operator'
    )),
  amount_minor bigint NOT NULL CONSTRAINT operations_amount_is_positive CHECK (amount_minor > 0),
  currency char(3) NOT NULL,
  with_capture boolean NOT NULL DEFAULT false,
  order_merchant_id text,
  operation_merchant_id text,
  request_id payment.id24,
  created_at timestamptz NOT NULL,
  -- when it was sent again
  sent_at timestamptz,
  settled_at timestamptz,
  -- a last capture releases the rest
  final boolean,
  refund_reason text,
  state text NOT NULL DEFAULT 'requested'
    CONSTRAINT operations_state_is_known CHECK (state IN (
      'requested', 'in_doubt', 'reversing', 'review', 'successful', 'declined', 'not_sent'
    )),
  waits_for text NOT NULL DEFAULT 'call'
    CONSTRAINT operations_waits_for_is_known CHECK (waits_for IN ('call', 'payer', 'provider')),
  provider_ref text,
  code text,
  reason text,
  authorization_code text,
  provider_code text,
  provider_text text,
  tries int NOT NULL DEFAULT 1,
  -- lease and schedule in one: when any worker may take it
  due_at timestamptz NOT NULL,
  -- of the answer that was kept last: the same one is not kept again
  answer_hash bytea
    CONSTRAINT operations_answer_hash_is_32_bytes CHECK (octet_length(answer_hash) = 32),

  CONSTRAINT operations_only_authorizations_capture_or_reverse CHECK (
    kind = 'authorize'
    OR NOT with_capture AND state <> 'reversing'
  ),
  CONSTRAINT operations_reversal_has_target CHECK (kind <> 'reversal' OR target_id IS NOT NULL),
  -- it has the id of the attempt, and the key allows it once
  CONSTRAINT operations_one_authorization_per_attempt CHECK (
    (kind = 'authorize') = (id = transaction_id)
  ),
  PRIMARY KEY (order_id, id)
) WITH (fillfactor = 55);

-- the contract's guard for a repeated order_merchant_id
CREATE UNIQUE INDEX one_at_provider ON payment.operations (merchant_account_id, order_merchant_id)
  WHERE origin = 'merchant'
    AND (kind = 'authorize' OR kind = 'capture' AND target_id IS NOT NULL)
    AND state IN ('requested', 'in_doubt', 'reversing', 'review')
    AND waits_for <> 'payer';

CREATE UNIQUE INDEX one_open_reversal ON payment.operations (order_id, target_id)
  WHERE kind = 'reversal' AND state IN ('requested', 'in_doubt', 'review');

CREATE UNIQUE INDEX own_reference_once ON payment.operations (order_id, kind, operation_merchant_id)
  WHERE operation_merchant_id IS NOT NULL;

-- the whole queue
CREATE INDEX operations_due ON payment.operations (due_at)
  WHERE state IN ('requested', 'in_doubt', 'review');

-- by its id alone: ids follow time, so a range of pages is enough
CREATE INDEX operations_by_id ON payment.operations USING brin (id)
  WITH (pages_per_range = 64, autosummarize = on);

-- what is final moves only where a contradiction is open, from one end to the other
CREATE TRIGGER forward_only BEFORE UPDATE OF state ON payment.operations
  FOR EACH ROW WHEN (NOT payment.step_ok(OLD.kind, OLD.state, NEW.state))
  EXECUTE FUNCTION payment.refuse_step();

ALTER TABLE payment.operations ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.operations FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.operations TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.operations TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.operations TO payment_app;
GRANT UPDATE (
  sent_at, settled_at, state, waits_for, provider_ref, code, reason, authorization_code,
  provider_code, provider_text, tries, due_at, answer_hash
) ON payment.operations TO payment_app;
GRANT SELECT, UPDATE ON payment.operations TO payment_queue;
