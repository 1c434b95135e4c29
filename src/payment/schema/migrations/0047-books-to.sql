-- A finding is ended by books that are as new as those that showed it, never by older ones.
ALTER TABLE payment.reconcile_findings
  -- until when the books that showed it say that they cover; NULL: they did not say
  ADD COLUMN books_to timestamptz;

GRANT UPDATE (books_to) ON payment.reconcile_findings TO payment_app;
