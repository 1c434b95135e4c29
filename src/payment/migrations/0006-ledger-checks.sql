-- What the checks of the ledger read across merchant accounts, and what people ruled on operations that nothing else could prove.
CREATE TABLE payment.rulings (           -- florin review settle: every word that was said, never changed; who rules twice counts as one person
  id bigint GENERATED ALWAYS AS IDENTITY, merchant_account_id payment.id24 NOT NULL, order_id payment.id24 NOT NULL, operation_id payment.id24 NOT NULL,
  ruling text NOT NULL CHECK (ruling IN ('done','not-done')), reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000), provider_ref text,
  by_name text NOT NULL CHECK (length(by_name) BETWEEN 1 AND 100), at timestamptz NOT NULL DEFAULT payment.now(), PRIMARY KEY (operation_id, id));
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON payment.rulings FOR EACH STATEMENT EXECUTE FUNCTION payment.refuse('change');
ALTER TABLE payment.rulings ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.rulings FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.rulings TO payment_app USING (merchant_account_id = payment.tenant()) WITH CHECK (merchant_account_id = payment.tenant());
CREATE POLICY queue ON payment.rulings TO payment_queue USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON payment.rulings TO payment_app;
GRANT SELECT ON payment.rulings, payment.ledger_entries TO payment_queue;

-- merchant accounts, page by page
CREATE FUNCTION payment.accounts_after(after bytea, room int) RETURNS TABLE (merchant_account_id bytea, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT a.merchant_account_id, a.name FROM merchant_accounts a WHERE a.merchant_account_id > after ORDER BY a.merchant_account_id LIMIT room $$;
-- rows of the ledger in the order of their key, each with the operation and the order that it names, where they are there
CREATE FUNCTION payment.ledger_after(after bytea, after_posting text, after_line int, room int)
RETURNS TABLE (source_id bytea, posting text, line smallint, merchant_account_id bytea, order_id bytea, debit text, credit text, currency text, amount_minor bigint,
  owner bytea, kind text, state text, has_order boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT e.source_id, e.posting, e.line, e.merchant_account_id, e.order_id, e.debit, e.credit, e.currency, e.amount_minor, p.merchant_account_id, p.kind, p.state, o.id IS NOT NULL
  FROM (SELECT * FROM ledger_entries x WHERE (x.source_id, x.posting, x.line) > (after, after_posting, after_line) ORDER BY x.source_id, x.posting, x.line LIMIT room) e
  LEFT JOIN operations p ON p.order_id = e.order_id AND p.id = e.source_id
  LEFT JOIN orders o ON o.merchant_account_id = e.merchant_account_id AND o.id = e.order_id
  ORDER BY e.source_id, e.posting, e.line $$;
-- what nothing has proved yet: the queue without what is only under way
CREATE FUNCTION payment.undecided(room int) RETURNS TABLE (id bytea, order_id bytea, merchant_account_id bytea, transaction_id bytea, provider text, kind text, state text, amount_minor bigint, currency text,
  created_at timestamptz, due_at timestamptz, tries int)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT p.id, p.order_id, p.merchant_account_id, p.transaction_id, p.provider, p.kind, p.state, p.amount_minor, p.currency, p.created_at, p.due_at, p.tries
  FROM operations p WHERE p.state IN ('requested','in_doubt','review') AND p.due_at > '-infinity' AND p.state <> 'requested' ORDER BY p.created_at LIMIT room $$;
-- where an operation is, by its id alone: in the queue itself or as what an open reversal undoes; else booked, else ruled on
CREATE FUNCTION payment.whose_operation(which bytea) RETURNS TABLE (order_id bytea, merchant_account_id bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = payment, pg_temp AS $$
  SELECT order_id, merchant_account_id FROM (
    (SELECT p.order_id, p.merchant_account_id FROM operations p WHERE p.state IN ('requested','in_doubt','review') AND p.due_at > '-infinity' AND (p.id = which OR p.kind = 'reversal' AND p.target_id = which) LIMIT 1)
    UNION ALL (SELECT e.order_id, e.merchant_account_id FROM ledger_entries e WHERE e.source_id = which LIMIT 1)
    UNION ALL (SELECT r.order_id, r.merchant_account_id FROM rulings r WHERE r.operation_id = which LIMIT 1)) x LIMIT 1 $$;

GRANT CREATE ON SCHEMA payment TO payment_queue;
DO $$ DECLARE f text; BEGIN
  FOREACH f IN ARRAY ARRAY['accounts_after(bytea, int)', 'ledger_after(bytea, text, int, int)', 'undecided(int)', 'whose_operation(bytea)'] LOOP
    EXECUTE format('ALTER FUNCTION payment.%1$s OWNER TO payment_queue; REVOKE EXECUTE ON FUNCTION payment.%1$s FROM PUBLIC; GRANT EXECUTE ON FUNCTION payment.%1$s TO payment_app', f);
  END LOOP; END $$;
REVOKE CREATE ON SCHEMA payment FROM payment_queue;
