-- Payments as a service writes them that has several on their way: a commit a step, for :batch of them at once (reference.sql).
SELECT to_hex((extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint) AS now \gset

INSERT INTO reference.checkouts (id, account_id, amount_minor, currency, request)
SELECT
  decode(lpad(:now::text, 14, '0') || lpad(to_hex(:client_id::int * 1000 + n), 10, '0'), 'hex'),
  '\x000000000000000000000001', 4250, 'EUR', repeat('c', 300)
FROM generate_series(1, :batch::int) AS n;

INSERT INTO reference.cards (token_hash, checkout_id, sealed)
SELECT
  sha256((:now::text || ' ' || :client_id::int || ' ' || n)::bytea),
  decode(lpad(:now::text, 14, '0') || lpad(to_hex(:client_id::int * 1000 + n), 10, '0'), 'hex'),
  decode(repeat('5c', 160), 'hex')
FROM generate_series(1, :batch::int) AS n;

WITH counted AS (
  UPDATE reference.checkouts
  SET orders = orders + 1
  FROM generate_series(1, :batch::int) AS n
  WHERE id = decode(lpad(:now::text, 14, '0') || lpad(to_hex(:client_id::int * 1000 + n), 10, '0'), 'hex')
    AND orders = 0
  RETURNING id, account_id, amount_minor, currency
)
INSERT INTO reference.orders (
  id, account_id, checkout_id, reference, amount_minor, currency, request, state)
SELECT
  id, account_id, id, encode(id, 'hex'), amount_minor, currency, repeat('o', 500), 'requested'
FROM counted;

INSERT INTO reference.sent (operation_id, at)
SELECT decode(lpad(:now::text, 14, '0') || lpad(to_hex(:client_id::int * 1000 + n), 10, '0'), 'hex'), now()
FROM generate_series(1, :batch::int) AS n;

WITH paid AS (
  UPDATE reference.orders
  SET state = 'paid', provider_reference = encode(id, 'hex'), answer = repeat('a', 200)
  FROM generate_series(1, :batch::int) AS n
  WHERE id = decode(lpad(:now::text, 14, '0') || lpad(to_hex(:client_id::int * 1000 + n), 10, '0'), 'hex')
    AND state = 'requested'
  RETURNING id, currency, amount_minor
),
entered AS (
  INSERT INTO reference.entries (order_id, line, debit, credit, currency, amount_minor)
  SELECT id, 1, 'provider_receivable', 'merchant_payable', currency, amount_minor FROM paid
)
INSERT INTO reference.events (order_id, seq, type, at)
SELECT id, 1, 'capture_successful', now() FROM paid;
