-- Domains of e-mail addresses whose people are sent to an account's single sign-on. A domain is one
-- account's.
CREATE TABLE payment.sign_on_domains (
  domain text PRIMARY KEY
    CONSTRAINT sign_on_domains_domain_is_small_letters CHECK (
      domain = lower(domain)
      AND length(domain) BETWEEN 3 AND 253
    ),
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.sign_on ON DELETE CASCADE
);

CREATE INDEX sign_on_domains_by_account ON payment.sign_on_domains (merchant_account_id);

ALTER TABLE payment.sign_on_domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.sign_on_domains FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.sign_on_domains TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.sign_on_domains TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT, INSERT, DELETE ON payment.sign_on_domains TO payment_app;
GRANT SELECT ON payment.sign_on_domains TO payment_queue;
