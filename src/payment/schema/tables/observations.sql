-- Append-only evidence: everything that was seen, also when it changed nothing.
CREATE TABLE payment.observations (
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT payment.now(),
  merchant_account_id payment.id24 NOT NULL,
  transaction_id payment.id24 NOT NULL,
  operation_id payment.id24,
  source text NOT NULL
    CONSTRAINT observations_source_is_known CHECK (source IN (
      'call', 'answer', 'webhook', 'inquiry', 'vault', 'file', 'operator', 'timer'
    )),
  outcome text NOT NULL
    CONSTRAINT observations_outcome_is_known CHECK (outcome IN (
      'sent', 'approved', 'declined', 'pending', 'payer_must_act', 'not_found', 'reversed',
      'not_sent', 'corrected', 'unknown'
    )),
  amount_minor bigint,
  currency char(3),
  provider_ref text,
  provider_code text,
  http_status smallint,
  detail json,
  -- what the provider answered, as text (docs/decisions/0047); left out where it is the text that
  -- the observation of this operation before has
  answer text CONSTRAINT observations_answer_is_short CHECK (length(answer) <= 2100)
);

-- ids follow time, so a range of pages is enough
CREATE INDEX observations_by_transaction ON payment.observations USING brin (transaction_id);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.observations
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

ALTER TABLE payment.observations ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.observations FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.observations TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.observations TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.observations TO payment_app;
GRANT INSERT ON payment.observations TO payment_queue;
