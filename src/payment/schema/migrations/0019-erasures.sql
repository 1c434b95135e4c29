-- A person's data is erased where the law lets it go.
\ir ../tables/erasures.sql

GRANT UPDATE (body) ON payment.orders TO payment_app;
GRANT UPDATE (body) ON payment.checkouts TO payment_app;
GRANT DELETE ON payment.customers, payment.customer_methods TO payment_app;
GRANT SELECT, DELETE ON payment.search_words TO payment_queue;
GRANT UPDATE (payload) ON payment.events TO payment_queue;
