-- The text of a revoked key that the wrong account held may become another account's key.
GRANT UPDATE (digest) ON payment.api_keys TO payment_app;
