-- Block and allow lists. They know their subjects by keyed hashes only.
CREATE TABLE payment.risk_entries (
  merchant_account_id payment.id24 NOT NULL,
  subject bytea NOT NULL
    CONSTRAINT risk_entries_subject_is_16_bytes CHECK (octet_length(subject) = 16),
  id payment.id24 NOT NULL,
  kind text NOT NULL,
  verdict text NOT NULL
    CONSTRAINT risk_entries_verdict_is_known CHECK (verdict IN ('block', 'allow')),
  -- the value with its personal part hidden
  shown text NOT NULL,
  note text,
  by_name text NOT NULL
    CONSTRAINT risk_entries_by_name_has_a_length CHECK (length(by_name) BETWEEN 1 AND 254),
  at timestamptz NOT NULL DEFAULT payment.now(),
  until timestamptz,
  -- a card, as it is shown to the people of its account: nothing of it may stand here in clear
  shown_sealed bytea,

  -- entries of an earlier version are sealed by the first start of this one
  CONSTRAINT risk_entries_card_is_shown_sealed CHECK (
    kind <> 'card'
    OR shown = '' AND shown_sealed IS NOT NULL
  ),
  PRIMARY KEY (merchant_account_id, subject)
);

CREATE UNIQUE INDEX risk_entries_by_id ON payment.risk_entries (merchant_account_id, id);

CREATE INDEX risk_entries_open_cards ON payment.risk_entries (merchant_account_id)
  WHERE kind = 'card' AND shown <> '';

ALTER TABLE payment.risk_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.risk_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.risk_entries TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.risk_entries TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.risk_entries TO payment_app;
GRANT UPDATE (
  id, kind, verdict, shown, note, by_name, at, until, shown_sealed
) ON payment.risk_entries TO payment_app;
GRANT SELECT ON payment.risk_entries TO payment_queue;
GRANT UPDATE (shown, shown_sealed) ON payment.risk_entries TO payment_queue;
