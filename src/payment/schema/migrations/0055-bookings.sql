-- A report of bookings: of the ledger's rows by when they were written (docs/decisions/0176).
ALTER TABLE payment.reports DROP CONSTRAINT reports_kind_is_known;
ALTER TABLE payment.reports ADD CONSTRAINT reports_kind_is_known CHECK (
  kind IN ('orders', 'captures', 'refunds', 'disputes', 'bookings')
);

CREATE INDEX ledger_entries_by_time ON payment.ledger_entries USING brin (at)
  WITH (autosummarize = on);
