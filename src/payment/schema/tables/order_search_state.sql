-- How far the search has followed the events.
CREATE TABLE payment.order_search_state (
  one boolean PRIMARY KEY DEFAULT true CONSTRAINT order_search_state_one_row CHECK (one),
  -- events of earlier transactions are in
  next_tx bigint NOT NULL
);

GRANT SELECT ON payment.order_search_state TO payment_app;
GRANT SELECT, UPDATE ON payment.order_search_state TO payment_queue;
