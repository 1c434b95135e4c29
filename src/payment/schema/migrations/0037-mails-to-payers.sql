-- Receipts to payers and alarms to people by mail; a second factor that is set up again beside the one
-- in force.
ALTER TABLE payment.mails
  DROP CONSTRAINT mails_kind_is_known,
  ADD CONSTRAINT mails_kind_is_known CHECK (kind IN ('invitation', 'report', 'receipt', 'alarm'));

-- receipts go with payments and are as many: the limit of an hour is for the others
DROP INDEX payment.mails_lately;
CREATE INDEX mails_lately ON payment.mails (merchant_account_id, created_at)
  WHERE kind <> 'receipt';

-- a payer who is erased
GRANT DELETE ON payment.mails TO payment_app;

ALTER TABLE payment.members
  -- they want a mail when something needs a person
  ADD COLUMN alarm_mails boolean NOT NULL DEFAULT false;
GRANT UPDATE (alarm_mails) ON payment.members TO payment_app;
CREATE INDEX members_with_alarms ON payment.members (merchant_account_id) WHERE alarm_mails;

ALTER TABLE payment.people
  -- of a second factor that is to take the place of the one in force, until its first code
  ADD COLUMN totp_next_sealed bytea;
GRANT UPDATE (totp_next_sealed) ON payment.people TO payment_app;
