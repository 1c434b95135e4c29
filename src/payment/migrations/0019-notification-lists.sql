-- Lists of notifications, each from an index that has its order too: of one order, of those not delivered, of one endpoint, of one
-- event; and what is parked of one endpoint, to be sent again. Only the last costs nothing while all goes well.
DROP INDEX payment.notifications_of_order;
CREATE INDEX notifications_of_order ON payment.notifications (merchant_account_id, order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX notifications_undelivered ON payment.notifications (merchant_account_id, state, id) WHERE state <> 'delivered';
CREATE INDEX notifications_of_endpoint ON payment.notifications (merchant_account_id, endpoint_id, id);
CREATE INDEX notifications_of_event ON payment.notifications (merchant_account_id, event, id);
CREATE INDEX notifications_parked ON payment.notifications (endpoint_id, id) WHERE state = 'parked';

-- A dispute that is told again with another reason. told_at: when its provider last said something new of it; what is older comes late.
ALTER TABLE payment.disputes ADD told_at timestamptz;
GRANT UPDATE (reason, reason_code, told_at) ON payment.disputes TO payment_app;
