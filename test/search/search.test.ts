// Searching over orders: whatever is asked for, the answer is what a look at every order would give, also for what was
// done a moment ago and while the worker is behind.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { type OrderFilters, type OrderRow, exportOrders, searchOrders } from '../../src/payment/order/search/rows.ts';
import { bankLater } from '../bank-clock.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { followAll, followed } from './followed.ts';
import { populate } from './population.ts';

const ORDERS = 3000;
const TO_S = 1_760_000_000;
const FROM_S = TO_S - 90 * DAY_S;

let w: World;
let all: readonly OrderRow[];
beforeAll(async () => {
  w = await world();
  const span = { orders: ORDERS, from_s: FROM_S, to_s: TO_S };
  await populate(w.sql, { merchant_account_id: w.account, ...span });
  const other = w.service.tools.chance.id();
  await populate(w.sql, { merchant_account_id: other, ...span, first: ORDERS + 1 });
  await followAll(w);
  all = await everything();
});
afterAll(() => w[Symbol.asyncDispose]());

const db = () => w.service.tools.db.tenant(w.account);

/** All orders of the account, by one plain statement that uses nothing of the search. */
async function everything(): Promise<readonly OrderRow[]> {
  const rows = await w.sql<Record<string, unknown>>(
    `SELECT encode(o.id, 'hex') AS id, o.created_at, encode(o.checkout_id, 'hex') AS checkout_id, o.order_merchant_id,
       coalesce(o.body ->> 'customer_id', c.body ->> 'customer_id') AS customer_id, coalesce(o.body ->> 'customer_email', c.body ->> 'customer_email') AS customer_email,
       o.amount_minor::text AS amount_minor, o.currency, o.status, e.code, coalesce(o.body ->> 'operation_type', c.body ->> 'operation_type') AS operation_type, t.payment_method_name, t.last4, t.provider,
       o.captured_minor::text AS captured_minor, o.refunded_minor::text AS refunded_minor, coalesce(t.risk_score, 0) >= 60 AS is_suspicious,
       EXISTS (SELECT FROM payment.operations p WHERE p.order_id = o.id AND p.state IN ('in_doubt','reversing','review')) AS is_in_doubt, NULL AS dispute
     FROM payment.orders o JOIN payment.transactions t ON t.order_id = o.id AND t.attempt = (SELECT max(attempt) FROM payment.transactions x WHERE x.order_id = o.id)
       JOIN payment.events e ON e.subject_id = o.id AND e.seq = (SELECT max(seq) FROM payment.events x WHERE x.subject_id = o.id) LEFT JOIN payment.checkouts c ON c.id = o.checkout_id
     WHERE o.merchant_account_id = decode($1, 'hex') ORDER BY o.id DESC`,
    [w.account],
  );
  const money = ['amount_minor', 'captured_minor', 'refunded_minor'];
  return rows.map((row) => {
    const numbers = Object.fromEntries(money.map((name) => [name, BigInt(String(row[name]))]));
    return { ...row, ...numbers } as OrderRow;
  });
}

function fits(order: OrderRow, f: OrderFilters): boolean {
  const same = (one: unknown, other: unknown) => one === undefined || one === other;
  const among = (list: readonly string[] | undefined, value: string | null) => list?.includes(value ?? '') ?? true;
  return (
    same(f.order_merchant_id, order.order_merchant_id) &&
    same(f.checkout_id, order.checkout_id) &&
    same(f.customer_id, order.customer_id) &&
    same(f.email?.toLowerCase(), order.customer_email?.toLowerCase()) &&
    same(f.last4, order.last4) &&
    among(f.statuses, order.status) &&
    among(f.codes, order.code) &&
    among(f.currencies, order.currency) &&
    same(f.provider, order.provider) &&
    same(f.payment_method_name, order.payment_method_name) &&
    same(f.operation_type, order.operation_type) &&
    same(f.is_suspicious, order.is_suspicious) &&
    same(f.outcome, became(order)) &&
    same(f.in_doubt, order.is_in_doubt) &&
    order.amount_minor >= (f.amount_from ?? 0n) &&
    order.amount_minor <= (f.amount_to ?? 10n ** 18n) &&
    order.created_at >= (f.created_from ?? new Date(0)) &&
    order.created_at < (f.created_to ?? new Date(1e14))
  );
}

/** What became of its money. */
function became({ status, captured_minor, refunded_minor }: OrderRow): string {
  if (refunded_minor > 0n) return 'refunded';
  if (captured_minor > 0n) return 'captured';
  if (/^authorization_(?:cancelled|expired)$/.test(status)) return 'released';
  if (/^(?:risk_assessment|authentication|authorization)_declined$/.test(status)) return 'declined';
  return /^(?:authorization_(?:successful|cancel_)|capture_)/.test(status) ? 'authorized' : 'open';
}

async function searched(filters: OrderFilters, limit: number): Promise<readonly OrderRow[]> {
  const rows: OrderRow[] = [];
  for (let before: string | null = null; ;) {
    const page = await searchOrders(db(), { filters, before, limit });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
}

async function exported(filters: OrderFilters): Promise<readonly OrderRow[]> {
  const rows: OrderRow[] = [];
  for await (const portion of exportOrders(db(), filters)) rows.push(...portion);
  return rows;
}

const ids = (rows: readonly OrderRow[]) => rows.map((row) => row.id);

/** One value of every filter, taken from an order, so that something is found. */
function choices(order: OrderRow): readonly OrderFilters[] {
  return [
    { statuses: [order.status] },
    { statuses: ['authorization_declined', 'capture_requested', order.status] },
    { codes: [order.code ?? ''] },
    { currencies: [order.currency] },
    { provider: order.provider },
    { payment_method_name: order.payment_method_name },
    { operation_type: order.operation_type ?? '' },
    { is_suspicious: order.is_suspicious },
    { outcome: became(order) },
    ...(order.is_in_doubt ? [{ in_doubt: true } as const] : []),
    { amount_from: order.amount_minor },
    { amount_from: order.amount_minor / 2n, amount_to: order.amount_minor },
    { amount_from: order.amount_minor, amount_to: order.amount_minor },
    { created_from: new Date(order.created_at.getTime() - 9 * 24 * 3600_000), created_to: order.created_at },
    { created_from: order.created_at },
    { last4: order.last4 ?? '' },
    ...(order.customer_id === null ? [] : [{ customer_id: order.customer_id }]),
    ...(order.customer_email === null ? [] : [{ email: order.customer_email.toUpperCase() }]),
  ];
}

describe('what is found is what fits', () => {
  test('each filter alone, page by page', async () => {
    const one = all.find((order) => order.is_in_doubt && order.customer_email !== null) ?? all[0];
    if (!one) throw new Error('there are orders');
    for (const filters of choices(one)) {
      const expected = ids(all.filter((order) => fits(order, filters)));
      expect(ids(await searched(filters, expected.length > 300 ? 997 : 7)), JSON.stringify(filters, text)).toEqual(
        expected,
      );
    }
  });

  test('filters together: a hundred draws of several', async () => {
    for (let draw = 0; draw < 100; draw++) {
      const order = all[(draw * 7919) % all.length];
      if (!order) throw new Error('there are orders');
      const chosen = choices(order).filter((_, n) => (draw * 31 + n * 17 + draw * n) % 5 < 2);
      const filters: OrderFilters = Object.assign({}, ...chosen);
      const expected = ids(all.filter((one) => fits(one, filters)));
      expect(ids(await searched(filters, 500)), JSON.stringify(filters, text)).toEqual(expected);
    }
  });

  test('rows show what a look at the order shows', async () => {
    expect(await searched({ statuses: ['refund_successful', 'authorization_declined'] }, 200)).toEqual(
      all.filter((order) => fits(order, { statuses: ['refund_successful', 'authorization_declined'] })),
    );
  });

  test('an export is the whole list, whether most orders fit or few', async () => {
    const few: OrderFilters = { statuses: ['refund_successful'], currencies: ['GBP', 'USD'] };
    const wanted: readonly OrderFilters[] = [{}, { operation_type: 'direct_capture' }, few, { text: 'guest' }];
    for (const filters of wanted) {
      const { text: word, ...plain } = filters;
      const expected = all.filter((order) => fits(order, word === undefined ? plain : { customer_id: word }));
      expect(ids(await exported(filters))).toEqual(ids(expected));
    }
  });
});

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

describe('one box for everything', () => {
  test('an id of an order, a checkout, a transaction or a capture leads to its order', async () => {
    const [row] = await w.sql<{ id: string; checkout_id: string; transaction_id: string; capture_id: string }>(
      `SELECT encode(o.id, 'hex') AS id, encode(o.checkout_id, 'hex') AS checkout_id, encode(p.transaction_id, 'hex') AS transaction_id, encode(p.id, 'hex') AS capture_id
       FROM payment.orders o JOIN payment.operations p ON p.order_id = o.id WHERE p.kind = 'capture' AND o.checkout_id IS NOT NULL AND o.merchant_account_id = decode($1, 'hex') LIMIT 1`,
      [w.account],
    );
    if (!row) throw new Error('there are captures');
    for (const word of Object.values(row))
      expect(ids(await searched({ text: word.toUpperCase() }, 10))).toEqual([row.id]);
  });

  test('a reference, a customer, an e-mail, the last four and an amount are told apart', async () => {
    const one = all.find((order) => order.customer_email !== null && order.currency === 'EUR');
    if (!one) throw new Error('there are customers');
    const email = one.customer_email ?? '';
    const cases: readonly (readonly [string, (order: OrderRow) => boolean])[] = [
      [one.order_merchant_id, (order) => order.order_merchant_id === one.order_merchant_id],
      [one.customer_id ?? '', (order) => order.customer_id === one.customer_id],
      [` ${email} `, (order) => order.customer_email?.toLowerCase() === email.toLowerCase()],
      [one.last4 ?? '', (order) => order.last4 === one.last4 || isAmount(order, Number(one.last4))],
      ['49.90', (order) => isAmount(order, 49.9)],
      ['4990', (order) => order.last4 === '4990' || isAmount(order, 4990)],
    ];
    for (const [word, wanted] of cases)
      expect(ids(await searched({ text: word }, 1000)), word).toEqual(ids(all.filter(wanted)));
    expect(await searched({ text: 'nobody' }, 10)).toEqual([]);
  });

  test('with filters the text and the filters must both fit', async () => {
    const filters = { text: 'guest', statuses: ['capture_successful'], currencies: ['USD'] } as const;
    const expected = all.filter((order) => fits(order, { ...filters, customer_id: 'guest' }));
    expect(expected.length).toBeGreaterThan(0);
    expect(ids(await searched(filters, 3))).toEqual(ids(expected));
  });
});

function isAmount(order: OrderRow, amount: number): boolean {
  const exponent = { JPY: 0, KWD: 3 }[order.currency] ?? 2;
  return Math.round(amount * 10 ** exponent) === Number(order.amount_minor);
}

describe('what was just done', () => {
  test('is found while the worker is behind, and no longer where it was', async () => {
    const followed_id = textAt(await w.shop.pay({}, { customer_email: 'known@shop.example' }), 'order_id');
    await followed(w);
    const holder = new pg.Client({
      host: inject('server').socket_dir,
      user: inject('server').user,
      database: w.database,
    });
    await holder.connect();
    await holder.query('BEGIN');
    await until(async () => {
      const { rows } = await holder.query('SELECT FROM payment.order_search_state FOR UPDATE SKIP LOCKED');
      return rows.length === 1 ? true : undefined;
    });
    try {
      const mine = { email: 'new@shop.example' } as const;
      const paid = await w.shop.pay({}, { amount: '77.77', customer_id: 'new', customer_email: 'New@Shop.Example' });
      const order_id = textAt(paid, 'order_id');
      expect(ids(await searched({ text: '77.77' }, 10))).toEqual([order_id]);
      expect(ids(await searched({ ...mine, statuses: ['capture_successful'] }, 10))).toEqual([order_id]);
      expect(
        (await w.shop.api('/payment/order?customer_id=new&status=capture_successful')).at('orders.0.order_id'),
      ).toBe(order_id);
      await w.shop.api(`/payment/maintenance/refund/${order_id}`, {
        body: { amount: '1' },
        headers: { prefer: 'wait=10' },
      });
      expect(await searched({ ...mine, statuses: ['capture_successful'] }, 10)).toEqual([]);
      expect(ids(await searched({ ...mine, statuses: ['refund_successful'] }, 10))).toEqual([order_id]);
      const known = { email: 'known@shop.example' } as const;
      await w.shop.api(`/payment/maintenance/refund/${followed_id}`, {
        body: { amount: '1' },
        headers: { prefer: 'wait=10' },
      });
      expect(await searched({ ...known, statuses: ['capture_successful'] }, 10)).toEqual([]);
      expect(ids(await searched({ ...known, statuses: ['refund_successful'] }, 10))).toEqual([followed_id]);
      expect(ids(await exported({ operation_type: 'direct_capture' }))[0]).toBe(order_id);
      expect((await exported({ statuses: ['capture_successful'] })).map((row) => row.id)).not.toContain(order_id);
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
    }
  });

  test('is followed in the order of commits: a transaction that commits late is not passed over', async () => {
    const late = new pg.Client({
      host: inject('server').socket_dir,
      user: inject('server').user,
      database: w.database,
    });
    await late.connect();
    const one = all.find((order) => order.status === 'authorization_successful');
    if (!one) throw new Error('some are authorized');
    await late.query('BEGIN');
    await late.query(
      `UPDATE payment.orders SET version = version + 1, status = 'capture_requested', next_seq = next_seq + 1 WHERE id = decode($1, 'hex')`,
      [one.id],
    );
    await late.query(
      `INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, code) VALUES (decode($1, 'hex'), 3, decode($2, 'hex'), 'capture_requested', '044444')`,
      [one.id, w.account],
    );
    await w.shop.pay();
    await w.shop.pay();
    expect(ids(await searched({ statuses: ['capture_requested'] }, 100))).not.toContain(one.id);
    await late.query('COMMIT');
    await late.end();
    expect(ids(await searched({ statuses: ['capture_requested'] }, 100))).toContain(one.id);
    await followed(w);
    expect(ids(await searched({ statuses: ['capture_requested'] }, 100))).toContain(one.id);
  });

  test('keeps its result code when something else becomes known about it, as a dispute does', async () => {
    const email = 'disputed@shop.example';
    const card = { card_number: '4000009906000016' };
    const order_id = textAt(await w.shop.pay(card, { customer_email: email }), 'order_id');
    await bankLater(w, 41 * DAY_S);
    await until(async () => ((await searched({ email, disputed: true }, 10)).length === 1 ? true : undefined));
    await followed(w);
    expect(ids(await searched({ email, codes: ['955555'] }, 10))).toEqual([order_id]);
    expect(ids(await searched({ email, codes: ['955555'], disputed: true }, 10))).toEqual([order_id]);
  });

  test('gets its result code back on an upgrade from a version that lost it', async () => {
    const email = 'disputed@shop.example';
    const found = () => searched({ email, codes: ['955555'] }, 10);
    const before = ids(await found());
    await w.sql(
      `SELECT payment.put_search_facts(array_agg(jsonb_populate_record(f, '{"code": ""}')))
       FROM (SELECT array_agg(merchant_account_id::bytea) AS accounts, array_agg(id::bytea) AS ids FROM payment.orders WHERE id = decode($1, 'hex')) o, payment.search_facts(o.accounts, o.ids) f`,
      before,
    );
    expect(await found()).toEqual([]);
    await w.sql(readFileSync('src/payment/schema/migrations/0050-codes-of-statuses.sql', 'utf8'));
    await until(async () => ((await found()).length > 0 ? true : undefined));
    expect(ids(await found())).toEqual(before);
  });

  test('after all of this the rows of the search, the counts and the hours are those of the orders', async () => {
    await followed(w);
    const wrong = await w.sql(
      `SELECT f.* FROM (SELECT array_agg(merchant_account_id::bytea) AS accounts, array_agg(id::bytea) AS ids FROM payment.orders) o, payment.search_facts(o.accounts, o.ids) f
       LEFT JOIN payment.order_search s ON s.merchant_account_id = f.merchant_account_id AND s.order_id = f.order_id LEFT JOIN payment.order_classes c ON c.id = s.class_id
       WHERE (s.last4, s.customer, s.email, s.amount_minor, c.status, c.code, c.currency::text, c.provider, c.payment_method_name, c.operation_type, c.is_suspicious, c.outcome, c.merchant_account_id)
         IS DISTINCT FROM (f.last4, f.customer, f.email, f.amount_minor, f.status, f.code, f.currency, f.provider, f.payment_method_name, f.operation_type, f.is_suspicious, f.outcome, f.merchant_account_id)`,
    );
    expect(wrong).toEqual([]);
    const counts = `SELECT merchant_account_id, payment.hour_of(order_id) AS hour, class_id, count(*) AS orders, sum(amount_minor) AS amount_minor FROM payment.order_search GROUP BY 1, 2, 3`;
    expect(
      await w.sql(
        `(SELECT * FROM (${counts}) x EXCEPT SELECT merchant_account_id, hour, class_id, orders, amount_minor FROM payment.order_hours) UNION ALL
         (SELECT merchant_account_id, hour, class_id, orders, amount_minor FROM payment.order_hours WHERE orders <> 0 EXCEPT SELECT * FROM (${counts}) x)`,
      ),
    ).toEqual([]);
    expect(
      await w.sql(
        `SELECT c.id FROM payment.order_classes c LEFT JOIN payment.order_search s ON s.class_id = c.id GROUP BY c.id, c.orders HAVING count(s.order_id) <> c.orders`,
      ),
    ).toEqual([]);
  });
});
