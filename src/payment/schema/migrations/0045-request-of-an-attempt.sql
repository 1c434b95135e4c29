-- An attempt knows the request that it was made by, so that the same request sent again is told from another one that
-- names its spent token. NULL: that of its order (orders.fingerprint).
ALTER TABLE payment.transactions
  ADD COLUMN fingerprint bytea
    CONSTRAINT transactions_fingerprint_is_16_bytes CHECK (octet_length(fingerprint) = 16);
