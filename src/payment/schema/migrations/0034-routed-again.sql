-- Rules that ask how an authentication ended may send the attempt elsewhere, before anything is sent.
GRANT UPDATE (provider, contract_id, route) ON payment.transactions TO payment_app;
