-- The overview reads sums of any length of time. Orders of before are counted by the worker, newest
-- first, whenever nothing else is to be followed: their rows have no `tries` until then.
\ir ../tables/order_sums.sql

ALTER TYPE payment.search_fact ADD ATTRIBUTE country text, ADD ATTRIBUTE tries text;

-- what an order is counted by in the sums, beside its class
ALTER TABLE payment.order_search
  ADD COLUMN country text,
  ADD COLUMN tries text
    CONSTRAINT order_search_tries_is_known CHECK (tries IN ('first', 'fallback', 'again'));

-- orders below this one may not be in the sums yet; NULL: all are
ALTER TABLE payment.order_search_state
  ADD COLUMN uncounted_account payment.id24,
  ADD COLUMN uncounted_order payment.id24;

-- the rows of all accounts: the owner is bound by their policies, too
ALTER TABLE payment.order_search NO FORCE ROW LEVEL SECURITY;

UPDATE payment.order_search_state
SET
  uncounted_account = '\xffffffffffffffffffffffff',
  uncounted_order = '\xffffffffffffffffffffffff'
WHERE EXISTS (SELECT FROM payment.order_search);

ALTER TABLE payment.order_search FORCE ROW LEVEL SECURITY;
