// The invariants of every try of an order, however many later tries, fallbacks and processes there are: checked while
// the run goes on and once more at the end. One statement is one snapshot. A row is an alarm.

/** `$1`: of orders that moved since; null: of all. */
const OF_THESE = `o AS MATERIALIZED (SELECT id, body FROM payment.orders WHERE $1::timestamptz IS NULL OR updated_at > $1)`;

/**
 * A try begins when the one before is proved dead: declined, never sent, or taken back; and none is approved beside
 * another.
 */
export const UNPROVED_TRY = `
  WITH ${OF_THESE},
  tries AS (
    SELECT t.order_id, t.attempt, t.created_at, p.state, p.settled_at,
      lag(t.attempt) OVER own AS before, lag(p.state) OVER own AS state_before, lag(p.settled_at) OVER own AS settled_before
    FROM o JOIN payment.transactions t ON t.order_id = o.id
    JOIN payment.operations p ON p.order_id = t.order_id AND p.id = t.id
    WINDOW own AS (PARTITION BY t.order_id ORDER BY t.attempt))
  SELECT encode(order_id, 'hex') AS order_id,
    'try ' || attempt || ' began while ' || before || ' was ' || state_before AS wrong, row_to_json(tries)::text AS shown
  FROM tries
  WHERE before IS NOT NULL
    AND (state_before NOT IN ('declined', 'not_sent') OR settled_before IS NULL OR settled_before > created_at)
  LIMIT 20`;

/** Each policy ends once, with one event; what has not ended has none. More is never tried than it allows. */
export const ENDED_ONCE = `
  WITH ${OF_THESE},
  policies AS (
    SELECT r.order_id, r.state, r.ending, r.tries,
      (SELECT count(*) FROM payment.events e WHERE e.subject_id = r.order_id AND e.type = 'order.retries_ended') AS told,
      (SELECT count(*) FROM payment.transactions t JOIN payment.operations p ON p.order_id = t.order_id AND p.id = t.id
        WHERE t.order_id = r.order_id AND t.cascade_of IS NULL AND t.attempt > 1 AND p.request_id IS NULL) AS begun
    FROM o JOIN payment.retries r ON r.order_id = o.id)
  SELECT encode(order_id, 'hex') AS order_id, concat_ws('; ',
    CASE WHEN told <> CASE WHEN state = 'ended' THEN 1 ELSE 0 END THEN 'its later tries are ' || state || ', and the end was told ' || told || ' times' END,
    CASE WHEN begun > tries OR tries > 4 THEN begun || ' later tries, counted ' || tries END) AS wrong,
    row_to_json(policies)::text AS shown
  FROM policies
  WHERE told <> CASE WHEN state = 'ended' THEN 1 ELSE 0 END OR begun > tries OR tries > 4
  LIMIT 20`;

/**
 * Tries above a scheme's limit, counted from the results of the authorizations and not from the counted declines, with
 * the limits written here again: all of a run is within a day. Only tries without the payer: a payer may pass, and a
 * fallback is begun beside them.
 */
export const ABOVE_A_CAP = `
  WITH ${OF_THESE},
  cards AS (SELECT DISTINCT t.card_digest FROM o JOIN payment.transactions t ON t.order_id = o.id),
  declined AS (
    SELECT t.card_digest, t.payment_method_name AS scheme, t.contract_id, count(*) AS n, max(encode(t.order_id, 'hex')) AS order_id
    FROM cards JOIN payment.transactions t USING (card_digest)
    JOIN payment.operations p ON p.order_id = t.order_id AND p.id = t.id
    JOIN payment.orders x ON x.id = t.order_id
    WHERE p.state = 'declined' AND t.decline ->> 'class' IN ('later', 'other_route_soft', 'stop')
      AND x.body ->> 'payment_channel' = 'recurring'
    GROUP BY 1, 2, 3)
  SELECT order_id, n || ' declines of one card at one contract without the payer: above the limit of ' || scheme AS wrong, row_to_json(declined)::text AS shown
  FROM declined
  WHERE n > CASE scheme WHEN 'visa' THEN 18 WHEN 'mastercard' THEN 8 ELSE 5 END
  LIMIT 20`;

/** Counts of what a run had. */
export const TRIES_MADE = `
  SELECT (SELECT count(*)::int FROM payment.retries) AS policies,
    (SELECT coalesce(sum(tries), 0)::int FROM payment.retries) AS later,
    (SELECT count(*)::int FROM payment.transactions WHERE held IS NOT NULL) AS held,
    (SELECT count(*)::int FROM payment.transactions WHERE cascade_of IS NOT NULL) AS fallbacks,
    (SELECT coalesce(json_object_agg(ending, n), '{}') FROM (SELECT ending, count(*) AS n FROM payment.retries WHERE ending IS NOT NULL GROUP BY 1) e) AS endings`;

export type TriesMade = {
  readonly policies: number;
  readonly later: number;
  readonly held: number;
  readonly fallbacks: number;
  readonly endings: Readonly<Record<string, number>>;
};
