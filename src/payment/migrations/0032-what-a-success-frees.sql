-- From when on a success at its endpoint may bring a notification forward again (contract 13.3: success frees the queue). One that
-- the receiver never takes, while it takes all others, is not sent with each of them. NULL: it was not brought forward yet.
ALTER TABLE payment.notifications ADD free_from timestamptz;
GRANT UPDATE (free_from) ON payment.notifications TO payment_app;
