-- Findings whose account is not here: the operator lists and settles them, as no page does.
CREATE POLICY queue ON payment.reconcile_findings TO payment_queue
  USING (true)
  WITH CHECK (true);

GRANT SELECT ON payment.reconcile_findings TO payment_queue;
GRANT UPDATE (state, ended_at, note, by_name) ON payment.reconcile_findings TO payment_queue;
