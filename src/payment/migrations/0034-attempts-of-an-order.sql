-- Where a checkout named no max_attempts, the value of its order holds for both (contract 5.2): the order's acceptance sets it.
GRANT UPDATE (max_attempts) ON payment.checkouts TO payment_app;
