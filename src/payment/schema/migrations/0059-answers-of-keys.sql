-- What a request under an Idempotency-Key did, where its repeat could not read it anew: that an endpoint was switched
-- off, how many notifications were sent again. NULL: nothing, or it is of an earlier version.
ALTER TABLE payment.idempotency_keys ADD COLUMN done json;
GRANT UPDATE (done) ON payment.idempotency_keys TO payment_app;
