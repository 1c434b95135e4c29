-- Double entry by shape: a row moves one amount from one account to another, so no posting can fail
-- to sum to zero (docs/decisions/0005). The key forbids booking twice.
CREATE TABLE payment.ledger_entries (
  -- the operation, or the dispute
  source_id payment.id24 NOT NULL,
  posting text NOT NULL
    CONSTRAINT ledger_entries_posting_is_known CHECK (posting IN ('book', 'unbook')),
  line smallint NOT NULL CONSTRAINT ledger_entries_line_is_in_range CHECK (line BETWEEN 1 AND 8),
  merchant_account_id payment.id24 NOT NULL,
  order_id payment.id24,
  provider text NOT NULL,
  at timestamptz NOT NULL DEFAULT payment.now(),
  debit text NOT NULL
    CONSTRAINT ledger_entries_debit_is_known CHECK (debit IN (
      'authorized_hold', 'authorized_contra', 'provider_receivable', 'merchant_payable', 'refunds',
      'chargebacks', 'fees', 'payouts'
    )),
  credit text NOT NULL
    CONSTRAINT ledger_entries_credit_is_known CHECK (credit IN (
      'authorized_hold', 'authorized_contra', 'provider_receivable', 'merchant_payable', 'refunds',
      'chargebacks', 'fees', 'payouts'
    )),
  currency char(3) NOT NULL,
  amount_minor bigint NOT NULL
    CONSTRAINT ledger_entries_amount_is_positive CHECK (amount_minor > 0),

  CONSTRAINT ledger_entries_debit_is_not_credit CHECK (debit <> credit),
  PRIMARY KEY (source_id, posting, line)
);

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.ledger_entries
  FOR EACH STATEMENT
  EXECUTE FUNCTION payment.refuse('change');

ALTER TABLE payment.ledger_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.ledger_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.ledger_entries TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.ledger_entries TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT ON payment.ledger_entries TO payment_app;
GRANT SELECT ON payment.ledger_entries TO payment_queue;
