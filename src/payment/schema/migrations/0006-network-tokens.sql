-- What an attempt was paid with is told to its provider, which may take a network token another way.
ALTER TABLE payment.transactions ADD COLUMN network_token boolean NOT NULL DEFAULT false;
