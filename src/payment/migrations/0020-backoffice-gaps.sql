-- Who ruled on an operation, or published rules, may have an address of any length an address can have.
ALTER TABLE payment.rulings DROP CONSTRAINT rulings_by_name_check, ADD CONSTRAINT rulings_by_name_check CHECK (length(by_name) BETWEEN 1 AND 254);
ALTER TABLE payment.risk_versions DROP CONSTRAINT risk_versions_by_name_check, ADD CONSTRAINT risk_versions_by_name_check CHECK (length(by_name) BETWEEN 1 AND 254);
ALTER TABLE payment.risk_entries DROP CONSTRAINT risk_entries_by_name_check, ADD CONSTRAINT risk_entries_by_name_check CHECK (length(by_name) BETWEEN 1 AND 254);

-- A private key that a browser brought is in a page, where anybody can read it.
ALTER TABLE payment.api_keys ADD in_page_at timestamptz;
GRANT UPDATE (in_page_at) ON payment.api_keys TO payment_app;
