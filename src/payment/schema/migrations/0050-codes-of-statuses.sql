-- An order that was disputed, contradicted or tried again later lost its result code in the search and
-- in the sums. Where there are such, the worker goes through all orders once more, as after 0015.
ALTER TABLE payment.order_classes NO FORCE ROW LEVEL SECURITY;

UPDATE payment.order_search_state
SET
  uncounted_account = '\xffffffffffffffffffffffff',
  uncounted_order = '\xffffffffffffffffffffffff'
WHERE EXISTS (SELECT FROM payment.order_classes k WHERE k.code = '' AND k.orders > 0);

ALTER TABLE payment.order_classes FORCE ROW LEVEL SECURITY;
