-- A removal of a card finds the orders that are to save its token, of whichever customer.
CREATE INDEX customer_orders_saving ON payment.customer_orders (merchant_account_id, token_hash)
  WHERE token_sealed IS NOT NULL;
