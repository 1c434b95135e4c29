// Orders as a shop has them after months, written by SQL: skewed statuses, currencies, schemes and prices, customers
// who come again, some orders in doubt. The same number gives the same orders. For the tests of the search and for its
// bench.
import type pg from 'pg';

export type Population = {
  /** 24 hex characters. */
  readonly merchant_account_id: string;
  readonly orders: number;
  /** Seconds of Unix time between which the orders were made, evenly. */
  readonly from_s: number;
  readonly to_s: number;
  /** Number of the first one: two populations of one account must not share numbers. */
  readonly first?: number;
};

type Run = (text: string, values?: readonly unknown[]) => Promise<unknown>;

/** Tables for what is drawn: a weighted list is an array in which a thing stands as often as it weighs. */
const DRAWN = `
  CREATE TEMP TABLE IF NOT EXISTS lots (one boolean PRIMARY KEY, statuses text[], currencies text[], methods text[], declines text[], countries text[]);
  INSERT INTO lots SELECT true,
    array_fill('capture_successful'::text, ARRAY[620]) || array_fill('authorization_declined'::text, ARRAY[160]) || array_fill('authorization_successful'::text, ARRAY[100]) ||
    array_fill('refund_successful'::text, ARRAY[50]) || array_fill('authorization_cancelled'::text, ARRAY[30]) || array_fill('authentication_declined'::text, ARRAY[20]) ||
    array_fill('authorization_expired'::text, ARRAY[12]) || array_fill('capture_requested'::text, ARRAY[3]) || array_fill('authorization_requested'::text, ARRAY[2]) ||
    array_fill('capture_declined'::text, ARRAY[2]) || array_fill('refund_declined'::text, ARRAY[1]),
    array_fill('EUR'::text, ARRAY[700]) || array_fill('USD'::text, ARRAY[150]) || array_fill('GBP'::text, ARRAY[80]) || array_fill('PLN'::text, ARRAY[40]) || array_fill('SEK'::text, ARRAY[20]) ||
    array_fill('JPY'::text, ARRAY[9]) || array_fill('KWD'::text, ARRAY[1]),
    array_fill('visa'::text, ARRAY[50]) || array_fill('mastercard'::text, ARRAY[35]) || array_fill('american_express'::text, ARRAY[6]) || array_fill('cb'::text, ARRAY[5]) || array_fill('maestro'::text, ARRAY[3]) || ARRAY['jcb'],
    array_fill('420051'::text, ARRAY[40]) || array_fill('420005'::text, ARRAY[25]) || array_fill('420054'::text, ARRAY[10]) || array_fill('420082'::text, ARRAY[8]) || array_fill('420043'::text, ARRAY[3]) ||
    ARRAY['420014','420041','420057','420059','420061','420062','420065','420075','420078','420091','420096','420004','420007','420012'],
    array_fill('DE'::text, ARRAY[40]) || array_fill('FR'::text, ARRAY[20]) || array_fill('NL'::text, ARRAY[8]) || array_fill('GB'::text, ARRAY[8]) || array_fill('US'::text, ARRAY[6]) || array_fill(''::text, ARRAY[6]) ||
    ARRAY['AT','BE','CH','DK','ES','FI','IE','IT','JP','PL','PT','SE'] ON CONFLICT DO NOTHING`;

const ROWS = `
  CREATE TEMP TABLE drawn AS SELECT g, decode(lpad(to_hex(floor(at)::bigint), 8, '0') || lpad(to_hex((floor((at - floor(at)) * 1000)::int << 6) + (h & 63)::int), 4, '0') || left(md5(g::text), 12), 'hex') AS id,
      to_timestamp(at) AS created_at, statuses[1 + (h & 1048575) % 1000] AS status, currencies[1 + (i & 1048575) % 1000] AS currency, methods[1 + (j & 65535) % 100] AS method,
      declines[1 + (j >> 20 & 65535) % 100] AS decline, nullif(countries[1 + (i >> 8 & 65535) % 100], '') AS country, CASE WHEN (i >> 24 & 255) < 200 THEN 'simulator' ELSE 'simulator_b' END AS provider,
      CASE WHEN (h >> 24 & 255) < 180 THEN 'direct_capture' ELSE 'authorize' END AS operation_type,
      CASE WHEN (k & 15) < 3 THEN 4990 WHEN (k & 15) = 3 THEN 1990 ELSE 50 + floor(exp(4 + 9 * ((k >> 8 & 1048575) / 1048576.0)))::bigint END AS amount_minor,
      CASE WHEN (j >> 40 & 15) < 9 THEN 'c-' || (i >> 36 & 16777215) % greatest(1, $2 / 8) WHEN (j >> 40 & 15) = 9 THEN 'guest' END AS customer_id,
      lpad(((k >> 32 & 16777215) % 10000)::text, 4, '0') AS last4, CASE WHEN (h >> 40 & 127) = 0 THEN 75 WHEN (h >> 40 & 1) = 0 THEN 10 END AS risk_score, (k >> 56 & 127) = 5 AND (i & 31) = 1 AS doubtful,
      CASE WHEN (j >> 48 & 63) < 6 THEN 2 ELSE 1 END AS attempts, CASE WHEN (j >> 54 & 63) < 3 THEN 2 ELSE 1 END AS attempt
    FROM (SELECT g, hashint8extended(g, 1) AS h, hashint8extended(g, 2) AS i, hashint8extended(g, 3) AS j, hashint8extended(g, 4) AS k, $3::float8 + ($4::float8 - $3) * (g - $1) / $2 AS at
      FROM generate_series($1::bigint, $1::bigint + $2::bigint - 1) g) x, lots`;

const INSERTS = [
  `INSERT INTO payment.checkouts (id, merchant_account_id, amount_minor, currency, created_at, expires_at, body, attempts)
   SELECT substr(id, 1, 6) || decode(left(md5('c' || g), 12), 'hex'), decode($1, 'hex'), amount_minor, currency, created_at, created_at + interval '1 hour', json_build_object('operation_type', operation_type, 'customer_id', customer_id), 1
   FROM drawn WHERE g % 10 = 0`,
  `INSERT INTO payment.orders (id, merchant_account_id, checkout_id, order_merchant_id, amount_minor, currency, body, fingerprint, created_at, updated_at, status, live, version, next_seq, winner_id, max_attempts, attempts,
     authorized_minor, released_minor, captured_minor, refunded_minor)
   SELECT id, decode($1, 'hex'), CASE WHEN g % 10 = 0 THEN substr(id, 1, 6) || decode(left(md5('c' || g), 12), 'hex') END, 'ref-' || g, amount_minor, currency,
     CASE WHEN g % 10 = 0 THEN json_build_object('order_description', 'From a checkout') WHEN customer_id IS NULL THEN json_build_object('operation_type', operation_type, 'website_url', 'https://shop.example', 'customer_country', country)
       ELSE json_build_object('operation_type', operation_type, 'customer_id', customer_id, 'customer_country', country, 'customer_email', CASE customer_id WHEN 'guest' THEN 'Guest' || g % 1000 ELSE customer_id END || '@Shop.Example') END,
     decode(md5(g::text), 'hex'), created_at, created_at, status, status NOT IN ('authorization_declined','authentication_declined','authorization_cancelled','authorization_expired'), 2, 3,
     CASE WHEN status NOT IN ('authorization_declined','authentication_declined','authorization_requested') THEN substr(id, 1, 6) || decode(left(md5('t' || g), 12), 'hex') END, 3, attempts,
     CASE WHEN status IN ('authorization_declined','authentication_declined','authorization_requested') THEN 0 ELSE amount_minor END,
     CASE WHEN status IN ('authorization_cancelled','authorization_expired') THEN amount_minor ELSE 0 END, CASE WHEN status IN ('capture_successful','refund_successful','refund_declined') THEN amount_minor ELSE 0 END,
     CASE WHEN status = 'refund_successful' THEN amount_minor ELSE 0 END FROM drawn`,
  `INSERT INTO payment.transactions (id, order_id, merchant_account_id, attempt, provider, payment_method_name, first6, last4, exp_month, exp_year, risk_score, created_at)
   SELECT substr(id, 1, 6) || decode(left(md5('t' || g), 12), 'hex'), id, decode($1, 'hex'), attempt, provider, method, '424242', last4, 12, 2034, risk_score, created_at FROM drawn`,
  `INSERT INTO payment.operations (id, order_id, merchant_account_id, transaction_id, provider, kind, amount_minor, currency, state, order_merchant_id, created_at, due_at)
   SELECT substr(id, 1, 6) || decode(left(md5('t' || g), 12), 'hex'), id, decode($1, 'hex'), substr(id, 1, 6) || decode(left(md5('t' || g), 12), 'hex'), provider, 'authorize', amount_minor, currency,
     CASE WHEN doubtful OR status = 'authorization_requested' THEN 'in_doubt' WHEN status LIKE '%declined' THEN 'declined' ELSE 'successful' END, 'ref-' || g, created_at, 'infinity' FROM drawn`,
  `INSERT INTO payment.operations (id, order_id, merchant_account_id, transaction_id, provider, kind, amount_minor, currency, state, created_at, due_at)
   SELECT substr(id, 1, 6) || decode(left(md5('o' || g), 12), 'hex'), id, decode($1, 'hex'), substr(id, 1, 6) || decode(left(md5('t' || g), 12), 'hex'), provider, 'capture', amount_minor, currency, 'successful', created_at, 'infinity'
   FROM drawn WHERE status IN ('capture_successful','refund_successful')`,
  `INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, code, order_version, at)
   SELECT id, n, decode($1, 'hex'), CASE n WHEN 1 THEN 'authorization_requested' ELSE status END, CASE WHEN n = 1 OR status = 'authorization_requested' THEN '044444' WHEN status = 'authorization_declined' THEN decline
     WHEN status = 'authentication_declined' THEN '521082' WHEN status = 'refund_successful' THEN '611111' WHEN status = 'authorization_cancelled' THEN '711111' WHEN status = 'authorization_successful' THEN '044444' ELSE '944444' END, n, created_at
   FROM drawn, generate_series(1, 2) n`,
];

/** Their sums and classes alone, as following the orders would leave them: for figures that read nothing else. */
const SUMS = [
  `INSERT INTO payment.order_classes (merchant_account_id, status, code, currency, provider, payment_method_name, operation_type, is_suspicious, digits, outcome, orders)
   SELECT decode($1, 'hex'), status, CASE WHEN status = 'authorization_declined' THEN decline WHEN status = 'authentication_declined' THEN '521082' ELSE '944444' END, currency, provider, method, operation_type,
     coalesce(risk_score >= 60, false), length(amount_minor::text), payment.outcome_of(status), count(*) FROM drawn GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
   ON CONFLICT ON CONSTRAINT order_classes_combination_once DO UPDATE SET orders = payment.order_classes.orders + excluded.orders`,
  `INSERT INTO payment.order_sums AS s (merchant_account_id, facet, hours, at, currency, name, captured, refunded, authorized, released, declined, open, approved_minor)
   SELECT decode($1, 'hex'), facet, span.hours, payment.hour_of(id) / span.hours, currency, name, count(*) FILTER (WHERE became = 'captured'), count(*) FILTER (WHERE became = 'refunded'),
     count(*) FILTER (WHERE became = 'authorized'), count(*) FILTER (WHERE became = 'released'), count(*) FILTER (WHERE became = 'declined'), count(*) FILTER (WHERE became = 'open'),
     coalesce(sum(amount_minor) FILTER (WHERE became NOT IN ('declined', 'open')), 0)
   FROM drawn CROSS JOIN LATERAL (SELECT payment.outcome_of(status) AS became) b CROSS JOIN LATERAL (VALUES ('all', ''), ('provider', provider), ('scheme', method), ('country', coalesce(country, '')),
     ('tries', CASE WHEN attempts > 1 THEN 'again' WHEN attempt > 1 THEN 'fallback' ELSE 'first' END), ('reason', CASE WHEN became = 'declined' THEN CASE status WHEN 'authorization_declined' THEN decline ELSE '521082' END END)) part (facet, name)
     CROSS JOIN (VALUES (1), (24)) span (hours) WHERE name IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
   ON CONFLICT (merchant_account_id, facet, hours, at, currency, name) DO UPDATE SET captured = s.captured + excluded.captured, refunded = s.refunded + excluded.refunded, authorized = s.authorized + excluded.authorized,
     released = s.released + excluded.released, declined = s.declined + excluded.declined, open = s.open + excluded.open, approved_minor = s.approved_minor + excluded.approved_minor`,
];

/**
 * Writes them, as the superuser, in one transaction. They come into the search as all orders do: the worker follows
 * their events.
 */
export async function populate(
  run: Run,
  { merchant_account_id, orders, from_s, to_s, first = 1 }: Population,
  what: 'orders' | 'sums' = 'orders',
): Promise<void> {
  await run('BEGIN');
  await run(DRAWN);
  await run(ROWS, [first, orders, from_s, to_s]);
  for (const insert of what === 'orders' ? INSERTS : SUMS) await run(insert, [merchant_account_id]);
  await run('DROP TABLE drawn');
  await run('COMMIT');
}

export function runnerOf(client: pg.Client): Run {
  return (text, values = []) => client.query(text, [...values]);
}
