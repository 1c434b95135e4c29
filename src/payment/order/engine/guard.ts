// The condition under which a statement accepts an operation: the amounts of order-rules/allowed.ts once more, as they
// are when the statement runs. It does not check statuses, disputes, contradictions and limits: those are checked
// before, and the order's version in the same statement shows that they have not changed.

/** A condition on a row of `payment.orders`, with the parameters :kind, :origin and :amount_minor. */
export const OPERATION_GUARD = `CASE :kind
    WHEN 'capture' THEN NOT cancel_pending
      AND capturing_minor + captured_minor + released_minor + :amount_minor <= authorized_minor
    WHEN 'refund' THEN refunding_minor + refunded_minor + :amount_minor <= captured_minor
    WHEN 'cancel' THEN live
      AND NOT cancel_pending
      AND capturing_minor = 0
      AND (captured_minor = 0 OR :origin = 'schedule')
      AND :amount_minor = CASE
        WHEN winner_id IS NULL THEN amount_minor
        ELSE authorized_minor - released_minor - captured_minor
      END
  END`;
