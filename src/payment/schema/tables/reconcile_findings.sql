-- What florin reconcile found: where our books and a provider's differ. A row stays: it is open until a
-- later file agrees (resolved), or a person has said what it is (settled).
CREATE TABLE payment.reconcile_findings (
  id payment.id24 NOT NULL,
  merchant_account_id payment.id24 NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL CONSTRAINT reconcile_findings_kind_is_known CHECK (
    kind IN ('missing here', 'missing there', 'amount', 'currency', 'state', 'double effect')
  ),
  -- authorize, capture, refund, cancel, reversal
  what text NOT NULL,
  -- as the provider knows the operation
  reference payment.id24 NOT NULL,
  order_id payment.id24 NOT NULL,
  operation_id payment.id24,
  ours text NOT NULL,
  theirs text NOT NULL,
  -- by how much the books are apart
  amount_minor bigint NOT NULL
    CONSTRAINT reconcile_findings_amount_is_no_debt CHECK (amount_minor >= 0),
  currency text NOT NULL,
  -- the file, without its folder
  source text NOT NULL,
  -- what --apply made of it; empty: it was not asked to
  became text NOT NULL,
  state text NOT NULL CONSTRAINT reconcile_findings_state_is_known CHECK (
    state IN ('open', 'resolved', 'settled')
  ),
  found_at timestamptz NOT NULL DEFAULT payment.now(),
  -- by the last run that found it
  seen_at timestamptz NOT NULL DEFAULT payment.now(),
  ended_at timestamptz,
  -- the file that agreed
  resolved_by text,
  -- of the person who settled it last; they stay when it is open again
  note text,
  by_name text,

  PRIMARY KEY (merchant_account_id, id),
  CONSTRAINT reconcile_findings_once
    UNIQUE (merchant_account_id, provider, kind, what, reference, order_id),
  CONSTRAINT reconcile_findings_open_until_ended CHECK ((state = 'open') = (ended_at IS NULL)),
  CONSTRAINT reconcile_findings_resolved_by_a_file
    CHECK ((state = 'resolved') = (resolved_by IS NOT NULL)),
  CONSTRAINT reconcile_findings_settled_by_a_person
    CHECK (state <> 'settled' OR (note IS NOT NULL AND by_name IS NOT NULL))
);

CREATE INDEX reconcile_findings_open ON payment.reconcile_findings (merchant_account_id, id)
  WHERE state = 'open';

ALTER TABLE payment.reconcile_findings ENABLE ROW LEVEL SECURITY;
ALTER TABLE payment.reconcile_findings FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON payment.reconcile_findings TO payment_app
  USING (merchant_account_id = payment.tenant())
  WITH CHECK (merchant_account_id = payment.tenant());

GRANT SELECT, INSERT ON payment.reconcile_findings TO payment_app;
GRANT UPDATE (
  ours, theirs, operation_id, amount_minor, currency, source, became, state, seen_at, ended_at,
  resolved_by, note, by_name
) ON payment.reconcile_findings TO payment_app;
