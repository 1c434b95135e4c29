-- Rows that are there from the beginning.
INSERT INTO payment.clock DEFAULT VALUES;

-- what was written before this transaction is nobody's event
INSERT INTO payment.order_search_state (next_tx)
VALUES (pg_current_xact_id()::text::bigint);
