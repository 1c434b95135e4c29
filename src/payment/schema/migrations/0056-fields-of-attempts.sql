-- Another attempt may be sent with other fields, and the order has those of its last one. An attempt before it keeps
-- what the next one was sent with otherwise: the fields that it shows. NULL: nothing, or it is of an earlier version.
ALTER TABLE payment.transactions ADD COLUMN otherwise json;
GRANT UPDATE (otherwise) ON payment.transactions TO payment_app;
