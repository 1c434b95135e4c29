-- What risk rules count is parted by month: a month that no rule looks at any more is dropped whole,
-- in place of rows that are deleted one by one. What is there stays as one part below the first month.
DROP FUNCTION IF EXISTS payment.forget_sightings(int, interval);

ALTER TABLE payment.risk_sightings RENAME TO risk_sightings_before;
ALTER TABLE payment.risk_sightings_before
  RENAME CONSTRAINT risk_sightings_pkey TO risk_sightings_before_pkey;
-- it found what was to be deleted
DROP INDEX payment.risk_sightings_age;
DROP POLICY own ON payment.risk_sightings_before;
DROP POLICY queue ON payment.risk_sightings_before;
REVOKE ALL ON payment.risk_sightings_before FROM payment_app, payment_queue;

-- An attempt that was let through, by each subject that a rule counts.
CREATE TABLE payment.risk_sightings (
  merchant_account_id payment.id24 NOT NULL,
  subject bytea NOT NULL
    CONSTRAINT risk_sightings_subject_is_16_bytes CHECK (octet_length(subject) = 16),
  at timestamptz NOT NULL,
  transaction_id payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  amount_minor bigint NOT NULL,
  currency char(3) NOT NULL,

  PRIMARY KEY (merchant_account_id, subject, at, transaction_id)
) PARTITION BY RANGE (at);

ALTER TABLE payment.risk_sightings ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.risk_sightings FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.risk_sightings TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());

GRANT SELECT, INSERT ON payment.risk_sightings TO payment_app;

CREATE TABLE payment.risk_sightings_default PARTITION OF payment.risk_sightings DEFAULT;
ALTER TABLE payment.risk_sightings_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.risk_sightings_default FORCE ROW LEVEL SECURITY;
CREATE POLICY keeper ON payment.risk_sightings_default TO florin_owner
  USING (true)
  WITH CHECK (true);

DO $$
DECLARE
  newest timestamptz;
  month timestamp;
BEGIN
  ALTER TABLE payment.risk_sightings_before NO FORCE ROW LEVEL SECURITY;
  SELECT max(at) INTO newest FROM payment.risk_sightings_before;
  IF newest IS NULL THEN
    DROP TABLE payment.risk_sightings_before;
    RETURN;
  END IF;
  month := date_trunc('month', greatest(newest, payment.now()) AT TIME ZONE 'UTC')
    + interval '1 month';
  EXECUTE format(
    'ALTER TABLE payment.risk_sightings ATTACH PARTITION payment.risk_sightings_before
     FOR VALUES FROM (MINVALUE) TO (%L)',
    month AT TIME ZONE 'UTC');
  ALTER TABLE payment.risk_sightings_before FORCE ROW LEVEL SECURITY;
  EXECUTE format(
    'ALTER TABLE payment.risk_sightings_before RENAME TO risk_sightings_before_%s',
    to_char(month, 'YYYYMM'));
END
$$;
