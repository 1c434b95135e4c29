-- The card scheme's id of a subscription's first payment, which later ones name.
CREATE TABLE payment.network_references (
  merchant_account_id payment.id24 NOT NULL REFERENCES payment.merchant_accounts,
  subscription_id payment.id24 NOT NULL,
  reference text NOT NULL
    CONSTRAINT network_references_reference_is_printable CHECK (reference ~ '^[!-~]{1,50}$'),
  order_id payment.id24 NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT payment.now(),

  PRIMARY KEY (merchant_account_id, subscription_id)
);

ALTER TABLE payment.network_references ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.network_references FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.network_references TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());

GRANT SELECT, INSERT ON payment.network_references TO payment_app;
