// Which operations are in doubt, as SQL: for every statement that asks. Of an order as it was read, isInDoubt says it
// (show/doubt.ts); over all accounts, payment.undecided (schema/functions), which a test compares with this.

/**
 * The index of the queue has no others. An authorization that is being reversed is not in it: its reversal is, until
 * that has ended, and there always is one (test/payment/decide/rules.ts).
 */
export const doubtInQueue = (p: '' | 'p.' = ''): string =>
  `${p}state IN ('requested', 'in_doubt', 'review')
       AND (${p}state <> 'requested' OR ${p}kind = 'reversal')`;

/** Is the order `o` in doubt? */
export const ORDER_IN_DOUBT = `
    o.contradicted IS TRUE
    OR 0 < (
      SELECT count(*)
      FROM payment.operations p
      WHERE p.order_id = o.id
        AND p.merchant_account_id = :merchant_account_id
        AND ${doubtInQueue('p.')}
    )`;
