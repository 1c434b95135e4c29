-- Observations are parted by month, by the time that a transaction's id begins with. What is there
-- stays as it is: one part below the first month. It is read once, and nothing is written again.
ALTER TABLE payment.observations RENAME TO observations_before;
ALTER INDEX payment.observations_by_transaction RENAME TO observations_before_by_transaction;
ALTER SEQUENCE payment.observations_id_seq RENAME TO observations_before_id_seq;
-- a part is read through the table that it is part of
DROP POLICY own ON payment.observations_before;
DROP POLICY queue ON payment.observations_before;
REVOKE ALL ON payment.observations_before FROM payment_app, payment_queue;

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
) PARTITION BY RANGE (transaction_id);

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

-- who takes a month off, and puts one back (florin archive)
CREATE POLICY keeper ON payment.observations TO florin_owner
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.observations TO payment_app;
GRANT INSERT ON payment.observations TO payment_queue;

-- nothing is ever refused for want of a month: what comes then waits here (keep_months)
CREATE TABLE payment.observations_default PARTITION OF payment.observations DEFAULT;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.observations_default
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.observations_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.observations_default FORCE ROW LEVEL SECURITY;
CREATE POLICY keeper ON payment.observations_default TO florin_owner
  USING (true)
  WITH CHECK (true);

\ir ../functions/id_at.sql
\ir ../functions/id_moment.sql

DO $$
DECLARE
  last_id bigint;
  newest bytea;
  month timestamp;
  next_id bigint;
BEGIN
  ALTER TABLE payment.observations_before NO FORCE ROW LEVEL SECURITY;
  SELECT max(id), decode(max(encode(transaction_id, 'hex') COLLATE "C"), 'hex')
  INTO last_id, newest
  FROM payment.observations_before;
  IF newest IS NULL THEN
    DROP TABLE payment.observations_before;
    RETURN;
  END IF;
  SELECT greatest(last_id, last_value) + 1 INTO next_id FROM payment.observations_before_id_seq;
  ALTER TABLE payment.observations_before ALTER COLUMN id DROP IDENTITY;
  EXECUTE format('ALTER TABLE payment.observations ALTER COLUMN id RESTART WITH %s', next_id);
  -- to the end of this month, or of that of the newest row that is there
  month := date_trunc('month', greatest(payment.id_moment(newest), payment.now()) AT TIME ZONE 'UTC')
    + interval '1 month';
  -- databases of before the baseline have it unchecked, on a column that was new
  ALTER TABLE payment.observations_before VALIDATE CONSTRAINT observations_answer_is_short;
  EXECUTE format(
    'ALTER TABLE payment.observations ATTACH PARTITION payment.observations_before
     FOR VALUES FROM (MINVALUE) TO (%L)',
    payment.id_at(month AT TIME ZONE 'UTC'));
  ALTER TABLE payment.observations_before FORCE ROW LEVEL SECURITY;
  -- what begins where this part ends (keep_months)
  EXECUTE format(
    'ALTER TABLE payment.observations_before RENAME TO observations_before_%s',
    to_char(month, 'YYYYMM'));
END
$$;
