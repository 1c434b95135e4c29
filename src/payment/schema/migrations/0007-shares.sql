-- Places of recovery and of deliveries are shared: the functions say whose a row is, or leave some
-- out, so those with the old arguments or results go.
DROP FUNCTION IF EXISTS payment.claim_operations(int, interval);
DROP FUNCTION IF EXISTS payment.waiting_endpoints(interval);
