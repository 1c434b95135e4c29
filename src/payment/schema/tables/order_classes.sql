-- What orders have in common (docs/decisions/0045): every combination that occurs, some hundreds an
-- account.
CREATE TABLE payment.order_classes (
  id int GENERATED ALWAYS AS IDENTITY,
  merchant_account_id payment.id24 NOT NULL,
  status text NOT NULL,
  code text NOT NULL,
  currency char(3) NOT NULL,
  provider text NOT NULL,
  payment_method_name text NOT NULL,
  operation_type text NOT NULL,
  is_suspicious boolean NOT NULL,
  -- of the amount in minor units
  digits smallint NOT NULL,
  orders bigint NOT NULL DEFAULT 0,

  CONSTRAINT order_classes_combination_once UNIQUE (
    merchant_account_id, status, code, currency, provider, payment_method_name, operation_type,
    is_suspicious, digits
  ),
  PRIMARY KEY (merchant_account_id, id)
) WITH (fillfactor = 50);

ALTER TABLE payment.order_classes ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.order_classes FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.order_classes TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.order_classes TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT ON payment.order_classes TO payment_app;
GRANT SELECT, INSERT, UPDATE ON payment.order_classes TO payment_queue;
