-- What became of an order is a part of its class (docs/decisions/0179): its money says it, and not its
-- last status alone. Orders of before are counted by their status, as so far, until the worker has gone
-- through all of them once more, as after 0015; of the same rows it then finds which are suspicious by
-- what their account had set.

-- nobody follows orders meanwhile
SELECT FROM payment.order_search_state FOR UPDATE;

DROP FUNCTION IF EXISTS payment.outcome_of(text);
\ir ../functions/outcome_of.sql

ALTER TYPE payment.search_fact ADD ATTRIBUTE outcome text;

ALTER TABLE payment.order_classes NO FORCE ROW LEVEL SECURITY;

ALTER TABLE payment.order_classes ADD COLUMN outcome text;
UPDATE payment.order_classes SET outcome = payment.outcome_of(status);
ALTER TABLE payment.order_classes
  ALTER COLUMN outcome SET NOT NULL,
  DROP CONSTRAINT order_classes_combination_once,
  ADD CONSTRAINT order_classes_combination_once UNIQUE (
    merchant_account_id, status, code, currency, provider, payment_method_name, operation_type,
    is_suspicious, digits, outcome
  );

UPDATE payment.order_search_state
SET
  uncounted_account = '\xffffffffffffffffffffffff',
  uncounted_order = '\xffffffffffffffffffffffff'
WHERE EXISTS (SELECT FROM payment.order_classes k WHERE k.orders > 0);

ALTER TABLE payment.order_classes FORCE ROW LEVEL SECURITY;
