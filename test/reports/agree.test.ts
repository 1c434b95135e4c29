// Every place that shows a sum or a count says the same: the list, its export, the report, the overview, the order
// itself, the reports of captures and refunds, the ledger, and the provider's books. With orders at both sides of each
// border of days, months and years of a zone whose clocks change, in currencies of no, two and three decimals.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_S, HOUR_MS } from '../../src/core/durations.ts';
import { toMinor } from '../../src/core/money.ts';
import { beginOfDay } from '../../src/core/zone.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { simulatorBooks } from '../../src/payment/ledger/reconcile/simulator.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

const ZONE = 'Europe/Paris';
/** A whole, and parts of it, in each number of decimals. */
const MONEY = [
  { currency: 'EUR', amount: '42.50', part: '10.01', other: '5.05', back: '3.33' },
  { currency: 'JPY', amount: '4250', part: '1001', other: '505', back: '333' },
  { currency: 'KWD', amount: '42.505', part: '10.001', other: '5.005', back: '3.333' },
] as const;
type Money = (typeof MONEY)[number];

let w: World;
let ada: Person;
beforeAll(async () => {
  w = await world();
  ada = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const now = () => w.service.tools.clock.now().getTime();

async function goTo(at_ms: number): Promise<void> {
  const furthest = 300 * DAY_S * 1000;
  for (let to = 0; to !== at_ms;) {
    to = Math.min(at_ms, now() + furthest);
    const moved = await w.shop.api('/sandbox/clock/advance', { body: { to: new Date(to).toISOString() } });
    expect([moved.status, moved.at('settled')], moved.text).toEqual([200, true]);
  }
}

const maintain = (kind: string, order_id: string, body: object) =>
  w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body, headers: { prefer: 'wait=5' } });

async function pay(money: Money, fields: object, card = '4242424242424242'): Promise<string> {
  const { amount, currency } = money;
  return textAt(await w.shop.pay({ card_number: card }, { amount, currency, ...fields }), 'order_id');
}

/** Captured in two parts with the rest let go, and given back in two parts. */
async function inParts(money: Money): Promise<void> {
  const id = await pay(money, { operation_type: 'authorize' });
  for (const body of [{ amount: money.part }, { amount: money.other }]) await maintain('capture', id, body);
  await maintain('cancel', id, {});
  for (const body of [{ amount: money.back }, { amount: money.other }]) await maintain('refund', id, body);
}

const HELD = { operation_type: 'authorize' };
/** What can go wrong or come late, each by the card that makes it. */
async function odd(money: Money): Promise<void> {
  await pay(money, HELD);
  await pay(money, {}, '4000000000000002');
  for (const card of ['4000009902000010', '4000009902000028', '4000009902000036', '4000009902000044'])
    await maintain('capture', await pay(money, HELD, card), { amount: money.part });
  for (const card of ['4000009903000019', '4000009903000027', '4000009903000035', '4000009903000043'])
    await maintain('refund', await pay(money, {}, card), { amount: money.back });
  for (const card of ['4000009906000016', '4000009906000024', '4000009902000051'])
    await pay(money, HELD, card).then((id) => maintain('capture', id, {}));
  await maintain('cancel', await pay(money, HELD, '4000009904000018'), {});
  await maintain('cancel', await pay(money, HELD, '4000009904000026'), {});
  await pay(money, HELD, '4000009902000051');
}

type Row = Readonly<Record<string, string>>;

function tableOf(csv: string): readonly Row[] {
  const [head = '', ...rows] = csv.trimEnd().split('\r\n');
  const names = head.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, i) => [names[i] ?? '', cell])));
}

const minor = (written: string, currency: string): bigint => {
  const read = toMinor(written.includes('.') ? written.replace(/\.?0+$/, '') : written, currency);
  if ('problem' in read) throw new Error(`${written} ${currency}: ${read.problem}`);
  return read.minor;
};

/** By currency. */
function sums<T>(rows: readonly T[], of: (row: T) => readonly [string, bigint]): Readonly<Record<string, bigint>> {
  const found: Record<string, bigint> = {};
  for (const row of rows) {
    const [currency, amount] = of(row);
    if (amount > 0n) found[currency] = (found[currency] ?? 0n) + amount;
  }
  return found;
}

async function text(path: string): Promise<string> {
  const answer = await fetch(ada.url + path, { headers: { cookie: ada.cookie } });
  expect(answer.status, path).toBe(200);
  return answer.text();
}

type Listed = {
  readonly id: string;
  readonly currency: string;
  readonly amount_minor: number;
  readonly captured_minor: number;
  readonly refunded_minor: number;
  readonly status: string;
};

async function listed(query: string): Promise<readonly Listed[]> {
  const rows: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await ada.get(`/api/orders?limit=7&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(page.status, page.text).toBe(200);
    rows.push(...(page.at('orders') as readonly Listed[]));
    cursor = page.at('next_cursor') as string | null;
  }
  return rows;
}

async function byApi(query: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await w.shop.api(`/payment/order?limit=9&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    ids.push(...(page.at('orders') as readonly { readonly _id: string }[]).map(({ _id }) => _id));
    cursor = page.at('next_cursor') as string | null;
  }
  return ids;
}

type Run = { readonly id: string; readonly name: string; readonly state: string };
type Currency = {
  readonly name: string;
  readonly now: { readonly orders: number; readonly volume_minor: number };
};

let reports = 0;

async function reported(kind: string, from: string, to: string): Promise<readonly Row[]> {
  const name = `report ${reports++}`;
  const asked = await ada.post('/api/reports', { name, kind, format: 'csv', every: 'once', zone: ZONE, from, to });
  expect(asked.status, asked.text).toBe(200);
  const run = await until(async () => {
    const runs = (await ada.get('/api/reports')).at('runs') as readonly Run[];
    return runs.find((one) => one.name === name && one.state === 'done');
  });
  return tableOf(await text(`/api/reports/${run.id}/file`));
}

const followed = () =>
  until(async () => {
    const [row] = await w.sql<{ done: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM payment.events WHERE tx >= next_tx) AS done FROM payment.order_search_state`,
    );
    return row?.done ? true : undefined;
  });

const dayAt = (day: string, more = 0) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return beginOfDay({ year, month, day: date + more }, ZONE).toISOString();
};

const APPROVED = /^(capture|refund)_|^authorization_(successful|cancel|expired)/;

/** Rises with whatever becomes of an order. */
async function moves(): Promise<string> {
  const [row] = await w.sql<{ moves: string }>('SELECT sum(version)::text AS moves FROM payment.orders');
  return row?.moves ?? '';
}

/** All places agree, asked again where an order moved between two of them. Answers of how many orders. */
async function agree(from: string, to: string): Promise<number> {
  for (;;) {
    const before = await moves();
    const count = await compare(from, to).catch((error: unknown) => error);
    const is_still = (await moves()) === before;
    if (is_still && typeof count === 'number') return count;
    if (is_still) throw count;
  }
}

/** All places, asked for the days from and to, both included. */
async function compare(from: string, to: string): Promise<number> {
  await followed();
  const query = `created_from=${dayAt(from)}&created_to=${dayAt(to, 1)}`;
  const rows = await listed(query);
  const ids = rows.map(({ id }) => id);
  const csv = tableOf(await text(`/api/orders/export?format=csv&${query}`));
  const lines = (await text(`/api/orders/export?format=jsonl&${query}`))
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
  const report = await reported('orders', from, to);
  expect([csv.map(({ id }) => id), lines.map(({ id }) => id)]).toEqual([ids, ids]);
  expect(report.map(({ order_id }) => order_id)).toEqual(ids);
  expect(await byApi(query)).toEqual(ids);
  for (const row of report) {
    const day = row['created_at']?.slice(0, 10) ?? '';
    expect(day >= from && day <= to, `${row['created_at']} in ${from} to ${to}`).toBe(true);
  }
  const captured = sums(rows, (row) => [row.currency, BigInt(row.captured_minor)]);
  const refunded = sums(rows, (row) => [row.currency, BigInt(row.refunded_minor)]);
  for (const file of [csv, lines, report]) {
    expect(sums(file, (row) => [row['currency'] ?? '', minor(row['captured'] ?? '', row['currency'] ?? '')])).toEqual(
      captured,
    );
    expect(sums(file, (row) => [row['currency'] ?? '', minor(row['refunded'] ?? '', row['currency'] ?? '')])).toEqual(
      refunded,
    );
    expect(sums(file, (row) => [row['currency'] ?? '', minor(row['amount'] ?? '', row['currency'] ?? '')])).toEqual(
      sums(rows, (row) => [row.currency, BigInt(row.amount_minor)]),
    );
  }
  const overview = await ada.get(`/api/overview?from=${from}&to=${to}&zone=${ZONE}`);
  expect([from, to, overview.at('now.orders')], overview.text).toEqual([from, to, rows.length]);
  const series = overview.at('series') as readonly { readonly orders: number }[];
  expect(series.reduce((sum, one) => sum + one.orders, 0)).toBe(rows.length);
  const currencies = overview.at('currencies') as readonly Currency[];
  const volumes = Object.fromEntries(
    currencies.filter((one) => one.now.volume_minor > 0).map((one) => [one.name, BigInt(one.now.volume_minor)]),
  );
  expect(volumes).toEqual(
    sums(
      rows.filter((row) => APPROVED.test(row.status)),
      (row) => [row.currency, BigInt(row.amount_minor)],
    ),
  );
  for (const {
    name,
    now: { orders },
  } of currencies) {
    expect(orders).toBe(rows.filter((row) => row.currency === name).length);
    const one = await ada.get(`/api/overview?from=${from}&to=${to}&zone=${ZONE}&currency=${name}`);
    expect([one.at('now.orders'), one.at('now.volume_minor') ?? 0]).toEqual([
      orders,
      currencies.find((c) => c.name === name)?.now.volume_minor,
    ]);
  }
  return rows.length;
}

const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_S * 1000).toISOString().slice(0, 10);
const amountsIn = (file: readonly Row[]) =>
  sums(file, (row) => [row['currency'] ?? '', minor(row['amount'] ?? '', row['currency'] ?? '')]);
const done = (file: readonly Row[]) => amountsIn(file.filter(({ state }) => state === 'successful'));

/** Below zero: what providers owe less by it. */
function bookedIn(file: readonly Row[]): Readonly<Record<string, bigint>> {
  const found: Record<string, bigint> = {};
  for (const { amount = '', currency = '' } of file) {
    const size = minor(amount.replace('-', ''), currency);
    found[currency] = (found[currency] ?? 0n) + (amount.startsWith('-') ? -size : size);
  }
  return found;
}

/** The begin of a year, and of the days of 23 and 25 hours. */
const BORDERS = ['2027-01-01', '2027-03-28', '2027-10-31'];

test('all places agree on both sides of each border, while much is under way, and when it has ended', async () => {
  for (const border of BORDERS) {
    const at = Date.parse(dayAt(border));
    await goTo(at - 20_000);
    for (const money of MONEY) await pay(money, {});
    await goTo(at + 1);
    for (const money of MONEY) await inParts(money);
    if (border === '2027-01-01') {
      await odd(MONEY[2]);
      await agree(border, border);
    }
    // before the hour that is skipped, and in the one that comes twice
    await goTo(at + 2 * HOUR_MS - 10_000);
    for (const money of MONEY) await pay(money, HELD);
    await goTo(at + 3 * HOUR_MS + 1);
    for (const money of MONEY) await pay(money, HELD);
  }
  await goTo(Date.parse(dayAt('2027-12-01')));
  const by_days: number[] = [];
  for (const border of BORDERS) for (const day of [dayBefore(border), border]) by_days.push(await agree(day, day));
  const by_years = [await agree('2026-12-01', '2026-12-31'), await agree('2027-01-01', '2027-12-31')];
  const added = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  expect(added(by_years)).toBe(added(by_days));
  expect(await agree('2027-03-01', '2027-03-31')).toBe(added(by_days.slice(2, 4)));
}, 600_000);

/** Within which all of it is asked for and ends: disputes come 40 days after a capture, and are won 30 days later. */
const SPANS = [
  ['2026-12-31', '2027-03-15'],
  ['2027-03-27', '2027-04-10'],
  ['2027-10-30', '2027-11-15'],
] as const;

test('what orders say is what the reports of captures, refunds, disputes and bookings add up to, the ledger has and the provider knows', async () => {
  const during = async (kind: string) =>
    (await Promise.all(SPANS.map(([from, to]) => reported(kind, from, to)))).flat();
  const rows = await listed('');
  for (const { id, currency, captured_minor, refunded_minor } of rows) {
    const money = (await ada.get(`/api/orders/${id}`)).at('money');
    expect(money).toMatchObject({ currency, captured_minor, refunded_minor });
  }
  const captured = sums(rows, (row) => [row.currency, BigInt(row.captured_minor)]);
  const refunded = sums(rows, (row) => [row.currency, BigInt(row.refunded_minor)]);
  expect(done(await during('captures'))).toEqual(captured);
  expect(done(await during('refunds'))).toEqual(refunded);
  const disputes = await during('disputes');
  expect(new Set(disputes.map(({ state }) => state))).toEqual(new Set(['won', 'lost']));
  const lost = amountsIn(disputes.filter(({ state }) => state === 'lost'));
  const booked = bookedIn(await during('bookings'));
  const verdict = await verifyLedger({ db: w.service.tools.db, progress: () => undefined });
  expect(verdict.first).toBeUndefined();
  for (const { currency } of MONEY) {
    const own = Object.fromEntries(verdict.balances.get(currency) ?? []);
    const [taken = 0n, given = 0n, gone = 0n] = [captured, refunded, lost].map((sum) => sum[currency]);
    expect([own['merchant_payable'], own['refunds'], own['chargebacks']]).toEqual([-taken, given, gone]);
    expect([own['provider_receivable'], booked[currency]]).toEqual([taken - given - gone, taken - given - gone]);
  }
  const { sandbox, db, providers } = w.service.tools;
  const found: unknown[] = [];
  await reconcile({
    db,
    source: simulatorBooks(sandbox ?? fail()),
    in_flight: new Map([...providers].map(([name, { can }]) => [name, can.in_flight_s])),
    found: async (difference) => void found.push(difference),
    progress: () => undefined,
  });
  expect(found).toEqual([]);
});

const fail = (): never => {
  throw new Error('a sandbox has simulated providers');
};

test('bookings of days, each read an hour after it ended, add up to the ledger: what ended late or failed since is in them', async () => {
  const before = bookedIn(await reported('bookings', '2026-12-01', '2027-12-31'));
  await goTo(Date.parse(dayAt('2028-02-28')) + 23 * HOUR_MS);
  const [money] = MONEY;
  const late = await pay(money, HELD, '4000009902000036');
  await maintain('capture', late, { amount: money.part });
  const failing = await pay(money, HELD, '4000009902000044');
  await maintain('capture', failing, { amount: money.other });
  const bouncing = await pay(money, {}, '4000009903000027');
  await maintain('refund', bouncing, { amount: money.back });
  const days = ['2028-02-28', '2028-02-29', '2028-03-01', '2028-03-02'];
  const files: Record<'captures' | 'bookings', (readonly Row[])[]> = { captures: [], bookings: [] };
  for (const day of days) {
    await goTo(Date.parse(dayAt(day, 1)) + HOUR_MS);
    for (const kind of ['captures', 'bookings'] as const) files[kind].push(await reported(kind, day, day));
  }
  // the reports of captures have the one that failed since, and not the one that ended late
  expect(done(files.captures.flat())).toEqual({ EUR: 505n + 4250n });
  expect(bookedIn(files.bookings.flat())).toEqual({ EUR: 1001n + 4250n });
  expect(files.bookings.map((rows) => rows.map(({ booking }) => booking))).toEqual([
    ['capture', 'capture', 'refund'],
    ['capture', 'capture_failed'],
    ['refund_failed'],
    [],
  ]);
  // read again they are the same, and the ledger has nothing that is in none of them
  expect(await Promise.all(days.map((day) => reported('bookings', day, day)))).toEqual(files.bookings);
  const { balances } = await verifyLedger({ db: w.service.tools.db, progress: () => undefined });
  expect(Object.fromEntries(balances.get('EUR') ?? [])['provider_receivable']).toBe(
    (before['EUR'] ?? 0n) + 1001n + 4250n,
  );
});

test('of an hour with more bookings than are read at once each stands in its report, once', async () => {
  const account = w.account;
  await w.sql(
    `INSERT INTO payment.ledger_entries (
       source_id, posting, line, merchant_account_id, provider, at, debit, credit, currency, amount_minor)
     SELECT decode(lpad(to_hex(n), 24, '0'), 'hex'), 'book', 1, decode($1, 'hex'), 'simulator',
       $2::timestamptz + n * interval '1 second', 'provider_receivable', 'merchant_payable', 'EUR', n
     FROM generate_series(1, 2500) n`,
    [account, dayAt('2028-05-01')],
  );
  const rows = await reported('bookings', '2028-04-20', '2028-05-02');
  expect(new Set(rows.map(({ operation_id }) => operation_id)).size).toBe(2500);
  expect([rows.length, bookedIn(rows)]).toEqual([2500, { EUR: (2500n * 2501n) / 2n }]);
});
