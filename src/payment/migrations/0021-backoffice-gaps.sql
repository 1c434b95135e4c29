-- Who ruled on an operation, or published rules, may have an address of any length an address can have.
ALTER TABLE payment.rulings DROP CONSTRAINT rulings_by_name_check, ADD CONSTRAINT rulings_by_name_check CHECK (length(by_name) BETWEEN 1 AND 254);
ALTER TABLE payment.risk_versions DROP CONSTRAINT risk_versions_by_name_check, ADD CONSTRAINT risk_versions_by_name_check CHECK (length(by_name) BETWEEN 1 AND 254);
ALTER TABLE payment.risk_entries DROP CONSTRAINT risk_entries_by_name_check, ADD CONSTRAINT risk_entries_by_name_check CHECK (length(by_name) BETWEEN 1 AND 254);
