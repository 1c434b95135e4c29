// The parts of statements that keep card schemes' limits. They stand inside the statements that accept a try and that
// end one: what is counted and what it allows are one commit, and no round trip more.

/** SQL expressions for what a try is, so that one text serves a statement and a test of many cards. */
export type OfTry = {
  readonly account: string;
  /** card_digest, 32 bytes. */
  readonly card: string;
  readonly acceptor: string;
  /** 'p' or 'm'. */
  readonly initiator: string;
  readonly amount_minor: string;
  readonly currency: string;
  /** The first day after the card's end; NULL: not known. */
  readonly expires: string;
  readonly now: string;
  /** Arrays of one length: of each limit its rule, seconds, most, and what of it counts apart. */
  readonly limits: {
    readonly rules: string;
    readonly windows: string;
    readonly most: string;
    readonly by_amount: string;
    readonly by_initiator: string;
  };
};

/** Contracts of one merchant number are one acceptor: of the table contracts. */
export const ACCEPTOR = `coalesce(contracts.acceptor, encode(contracts.id, 'hex'))`;

/**
 * Why a try is held back, as JSON: {why: stopped | too_early | limit, …}; NULL: it is not. A fresh card costs one look
 * into the index. The payer is held back by what the scheme stops for 30 days, not by its advice to wait: that is meant
 * for tries without them.
 */
export function heldWhy(its: OfTry): string {
  const { limits } = its;
  return `SELECT
      CASE
        WHEN count(*) = 0 THEN NULL
        WHEN bool_or(
          d.stopped
          AND d.expires IS NOT DISTINCT FROM ${its.expires}::date
          AND (${its.initiator} = 'm' OR d.at > ${its.now} - interval '30 days')
        ) THEN json_build_object(
          'why', 'stopped', 'category', max(d.category) FILTER (WHERE d.stopped AND d.category = 1),
          'advice', max(d.advice) FILTER (WHERE d.stopped))
        WHEN ${its.initiator} = 'm' AND max(d.not_before) > ${its.now} THEN json_build_object(
          'why', 'too_early',
          'until', to_char(max(d.not_before) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
        ELSE (
          SELECT json_build_object(
            'why', 'limit', 'rule', a_limit.rule, 'most', a_limit.most, 'window_s', a_limit.seconds)
          FROM unnest(
            ${limits.rules}::text[], ${limits.windows}::int[], ${limits.most}::int[],
            ${limits.by_amount}::boolean[], ${limits.by_initiator}::boolean[])
            AS a_limit (rule, seconds, most, by_amount, by_initiator)
          WHERE a_limit.most <= (
            SELECT count(*)
            FROM (
              SELECT c.at, c.initiator, c.amount_minor, c.currency
              FROM payment.declines c
              WHERE c.merchant_account_id = ${its.account}
                AND c.card = ${its.card}
                AND c.acceptor = ${its.acceptor}
              -- by the card, whatever is known of times: those of all cards are many
              OFFSET 0
            ) counted
            WHERE counted.at > ${its.now} - make_interval(secs => a_limit.seconds)
              AND (
                NOT a_limit.by_amount
                OR counted.amount_minor = ${its.amount_minor}
                AND counted.currency = ${its.currency}
              )
              AND (NOT a_limit.by_initiator OR counted.initiator = ${its.initiator})
          )
          LIMIT 1
        )
      END AS why
    FROM payment.declines d
    WHERE d.merchant_account_id = ${its.account}
      AND d.card = ${its.card}
      AND d.acceptor = ${its.acceptor}`;
}

/** The try, from the statement's own parameters (guard.ts gives them). */
const OF_PARAMETERS: OfTry = {
  account: ':merchant_account_id::bytea',
  card: ':counted_card::bytea',
  acceptor: `coalesce((SELECT acceptor FROM at_acceptor), '')`,
  initiator: ':initiator::text',
  amount_minor: ':counted_minor::bigint',
  currency: ':counted_currency::text',
  expires: ':card_expires',
  now: 'payment.now()',
  limits: {
    rules: ':limit_rules',
    windows: ':limit_windows',
    most: ':limit_most',
    by_amount: ':limit_by_amount',
    by_initiator: ':limit_by_initiator',
  },
};

/** A part `held`: one row, whose `why` is NULL where the try may begin. */
export const HELD = `at_acceptor AS (
    SELECT ${ACCEPTOR} AS acceptor
    FROM payment.contracts
    WHERE contracts.id = :contract_id
      AND contracts.merchant_account_id = :merchant_account_id
  ),
  held AS (
    ${heldWhy(OF_PARAMETERS)}
  )`;

export const IS_FREE = 'NOT EXISTS (SELECT FROM held WHERE why IS NOT NULL)';

/**
 * The row of a try without a payer, or of one of our own, which counts while it is not decided. `begun`: the part with
 * its `at`.
 */
export const openDecline = (begun: string): string => `open_decline AS (
    INSERT INTO payment.declines (
      merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme,
      amount_minor, currency, open, expires)
    SELECT
      :merchant_account_id, :counted_card, ${begun}.at, :transaction_id, acceptor, :initiator,
      :counted_scheme, :counted_minor, :counted_currency, true, :card_expires::date
    FROM ${begun}, at_acceptor
    WHERE :opens
  )`;

/** The columns of the part `asked` that COUNTED reads; `changed_order` repeats them. */
export const COUNTING = {
  counts: 'text',
  initiator: 'text',
  counted_minor: 'bigint',
  category: 'smallint',
  advice: 'text',
  wait_s: 'int',
  stops_card: 'boolean',
  decline: 'json',
  held: 'json',
} as const;

/**
 * The end of an authorization: a decline that the scheme saw is counted, any other end is forgotten, and an approval
 * ends a stop. Reads `changed_order`.
 */
export const COUNTED = `tried AS (
    SELECT
      changed_order.*, transactions.card_digest AS card, transactions.created_at AS tried_at,
      transactions.payment_method_name AS scheme,
      (make_date(transactions.exp_year, transactions.exp_month, 1) + interval '1 month')::date
        AS expires,
      ${ACCEPTOR} AS acceptor
    FROM changed_order
    JOIN payment.transactions
      ON transactions.order_id = changed_order.order_id
      AND transactions.id = changed_order.transaction_id
      AND transactions.merchant_account_id = :merchant_account_id
    JOIN payment.contracts
      ON contracts.id = transactions.contract_id
      AND contracts.merchant_account_id = :merchant_account_id
    WHERE transactions.card_digest IS NOT NULL
  ),
  counted_decline AS (
    INSERT INTO payment.declines (
      merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme,
      amount_minor, currency, open, category, advice,
      not_before, stopped, expires)
    SELECT
      :merchant_account_id, card, tried_at, transaction_id, acceptor, initiator, scheme,
      counted_minor, currency, false, category, advice,
      tried.at + make_interval(secs => wait_s), stops_card, expires
    FROM tried
    WHERE counts = 'declined'
    ON CONFLICT (merchant_account_id, card, at, transaction_id) DO UPDATE SET
      open = false,
      category = excluded.category,
      advice = excluded.advice,
      not_before = excluded.not_before,
      stopped = excluded.stopped
  ),
  forgotten_decline AS (
    DELETE FROM payment.declines
    USING tried
    WHERE tried.counts <> 'declined'
      AND declines.merchant_account_id = :merchant_account_id
      AND declines.card = tried.card
      AND declines.at = tried.tried_at
      AND declines.transaction_id = tried.transaction_id
  ),
  lifted_stop AS (
    UPDATE payment.declines
    SET stopped = false, not_before = NULL
    FROM tried
    WHERE tried.counts = 'approved'
      AND declines.merchant_account_id = :merchant_account_id
      AND declines.card = tried.card
      AND declines.acceptor = tried.acceptor
      AND (declines.stopped OR declines.not_before IS NOT NULL)
  )`;
