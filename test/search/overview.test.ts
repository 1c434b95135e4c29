// The overview's figures are those of the orders, whatever days they are asked for.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_S, HOUR_MS, HOUR_S } from '../../src/core/durations.ts';
import { ORDER_STATUSES } from '../../src/core/states.ts';
import { beginOf, dayOf, periodOf } from '../../src/payment/overview/days.ts';
import { type OverviewRequest, addUp, approvedOf, overviewOf, shareOf } from '../../src/payment/overview/overview.ts';
import { type Facet, type Part, findUncounted, listCurrencies, sumInDoubt } from '../../src/payment/overview/store.ts';
import type { TenantRunner } from '../../src/kit/database.ts';
import { asRole } from '../../bench/plans.ts';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';
import { followAll, followed } from './followed.ts';
import { populate } from './population.ts';

const TO_S = 20_376 * DAY_S;
const FIRST = 20_356;

let w: World;
beforeAll(async () => {
  w = await world();
  await populate(w.sql, { merchant_account_id: w.account, orders: 3000, from_s: TO_S - 20 * DAY_S, to_s: TO_S });
  await followAll(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const db = () => w.service.tools.db.tenant(w.account);
const overview = (asked: Partial<OverviewRequest> = {}) =>
  overviewOf(db(), {
    first: FIRST + 10,
    count: 10,
    zone: 'UTC',
    before: 10,
    currency: null,
    now: new Date(TO_S * 1000),
    ...asked,
  });

/** By one plain statement that uses nothing of the sums. */
const plainly = (name: string, from_s: number, to_s: number) =>
  w.sql<{ name: string; currency: string; outcome: string; orders: number; amount: string }>(
    `SELECT ${name} AS name, o.currency, payment.outcome_of(o.status, o.captured_minor, o.refunded_minor) AS outcome, count(*)::int AS orders, sum(o.amount_minor)::text AS amount
     FROM payment.orders o JOIN payment.transactions t ON t.order_id = o.id
       JOIN payment.events e ON e.subject_id = o.id AND e.seq = (SELECT max(seq) FROM payment.events x WHERE x.subject_id = o.id)
     WHERE o.created_at >= to_timestamp($1) AND o.created_at < to_timestamp($2) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [from_s, to_s],
  );

const OUTCOMES = ['authorized', 'captured', 'declined', 'open', 'refunded', 'released'] as const;
const told = (parts: readonly Part[]) =>
  parts
    .flatMap((part) => OUTCOMES.map((outcome) => ({ name: part.name, currency: part.currency, outcome, part })))
    .map(({ part, ...row }) => ({ ...row, orders: Number(part[row.outcome]) }))
    .filter(({ orders }) => orders > 0)
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const withoutMoney = (rows: Awaited<ReturnType<typeof plainly>>) =>
  rows.map(({ amount: _, ...row }) => row).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const FACETS: readonly (readonly [Facet, string])[] = [
  ['all', `''`],
  ['provider', 't.provider'],
  ['scheme', 't.payment_method_name'],
  ['country', `coalesce(o.body ->> 'customer_country', '')`],
  ['reason', `CASE WHEN payment.outcome_of(o.status) = 'declined' THEN e.code END`],
  ['tries', `CASE WHEN o.attempts > 1 THEN 'again' WHEN t.attempt > 1 THEN 'fallback' ELSE 'first' END`],
];

describe('orders are counted', () => {
  test.each(FACETS)('by %s as a look at every one of them counts them, now and before', async (facet, name) => {
    const { now, before } = await overview();
    for (const [side, from] of [
      [now, TO_S - 10 * DAY_S],
      [before, TO_S - 20 * DAY_S],
    ] as const) {
      const parts = facet === 'all' ? side?.currencies : side?.parts.filter((part) => part.facet === facet);
      const rows = (await plainly(name, from, from + 10 * DAY_S)).filter((row) => row.name !== null);
      expect(rows.length).toBeGreaterThan(3);
      expect(told(parts ?? [])).toEqual(withoutMoney(rows));
    }
  });

  test('in days of the viewer, whose edges are no days of UTC, and of one currency with its money', async () => {
    const { now } = await overview({ zone: 'Asia/Tokyo', first: FIRST + 3, count: 5, currency: 'EUR' });
    const from = TO_S - 17 * DAY_S - 9 * HOUR_S;
    const rows = (await plainly(`''`, from, from + 5 * DAY_S)).filter(({ currency }) => currency === 'EUR');
    const approved = rows.filter(({ outcome }) => outcome !== 'declined' && outcome !== 'open');
    expect(approvedOf(now.total)).toBe(approved.reduce((sum, { orders }) => sum + orders, 0));
    expect(now.total.approved_minor).toBe(approved.reduce((sum, { amount }) => sum + BigInt(amount), 0n));
    // the hours add up to the whole
    expect(addUp(now.hours)).toEqual(now.total);
    expect(now.hours.length).toBeGreaterThan(60);
  });

  test('of today until now, against as much of the day before; the rest of that day is drawn, not compared', async () => {
    const { now, before } = await overview({
      first: FIRST + 9,
      count: 1,
      before: 1,
      now: new Date((TO_S - 10.5 * DAY_S) * 1000),
    });
    expect(now.period.to_hour - (now.period.begins[0] ?? 0)).toBe(13);
    const from = TO_S - 12 * DAY_S;
    expect(told(before?.currencies ?? [])).toEqual(withoutMoney(await plainly(`''`, from, from + 13 * HOUR_S)));
    expect(before?.hours.at(-1)?.hour).toBeGreaterThan(before?.period.to_hour ?? 0);
  });

  test('of days that are over against the whole of the days before, and until now against the same time of day, around a change of the clocks', async () => {
    const hourAt = (text: string) => Date.parse(text) / HOUR_MS;
    const periods = async (now: string, first: string) => {
      const day = Date.parse(first) / (DAY_S * 1000);
      const asked = { zone: 'Europe/Paris', first: day, count: 7, before: 7, now: new Date(now) };
      const { before } = await overview(asked);
      return [before?.period.to_hour, before?.period.begins.at(-1)];
    };
    const [all, end] = await periods('2026-11-20T12:00:00Z', '2026-10-26');
    expect([all, end]).toEqual([hourAt('2026-10-25T23:00:00Z'), hourAt('2026-10-25T23:00:00Z')]);
    // until eleven o'clock of both Sundays, of which the one before had 25 hours
    expect((await periods('2026-11-01T09:30:00Z', '2026-10-26'))[0]).toBe(hourAt('2026-10-25T10:00:00Z'));
    // and of both Sundays, of which the later one has 23 hours
    expect((await periods('2027-03-28T08:30:00Z', '2027-03-22'))[0]).toBe(hourAt('2027-03-21T10:00:00Z'));
  });

  test('that were followed before there were sums: the newest first, and each once', async () => {
    const sums = () =>
      w.sql(
        `SELECT * FROM payment.order_sums WHERE captured + refunded + authorized + released + declined + open > 0 ORDER BY 1, 2, 3, 4, 5, 6`,
      );
    const counted = await sums();
    // as an upgrade leaves a database; in one transaction, as the migration is: the worker waits for its row
    const all = 'f'.repeat(24);
    await w.sql('BEGIN');
    await w.sql(
      `UPDATE payment.order_search_state SET uncounted_account = decode($1, 'hex'), uncounted_order = decode($1, 'hex')`,
      [all],
    );
    await w.sql('DELETE FROM payment.order_sums');
    await w.sql('UPDATE payment.order_search SET country = NULL, tries = NULL');
    const [row] = await w.sql<{ below: string }>(
      `SELECT encode(uncounted_order, 'hex') AS below FROM payment.order_search_state`,
    );
    expect(row?.below).toBe(all);
    await w.sql('COMMIT');
    await followed(w);
    expect(await findUncounted(db())).toBeNull();
    expect(await sums()).toEqual(counted);
  });
});

describe('what is read of the sums of a large shop', () => {
  const large = 'c'.repeat(24);
  const DAYS = 200;
  beforeAll(async () => {
    const span = { from_s: TO_S - DAYS * DAY_S, to_s: TO_S };
    await populate(w.sql, { merchant_account_id: large, orders: 40_000, ...span }, 'sums');
    // until nobody can see what was before: then the index tells all
    await until(async () => {
      // the table of currencies too: without its statistics each of its rows is looked up by itself
      await w.sql('VACUUM (ANALYZE) payment.order_sums, payment.order_classes');
      const [row] = await w.sql<{ seen: boolean }>(
        `SELECT relallvisible >= relpages * 0.95 AS seen FROM pg_class WHERE oid = 'payment.order_sums'::regclass`,
      );
      return row?.seen ? true : undefined;
    });
  });

  /** Pages of 8 KiB that its statements look at. */
  async function pagesOf(asking: (db: TenantRunner) => Promise<unknown>): Promise<number> {
    let pages = 0;
    // one after the other: a plan is asked for in a transaction of its own
    let turn: Promise<unknown> = Promise.resolve();
    const literal = (value: unknown): string => {
      if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
      if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`;
      return Array.isArray(value) ? `'{${value.join(',')}}'` : `'${typeof value === 'string' ? value : ''}'`;
    };
    const explaining: Pick<TenantRunner, 'run' | 'merchant_account_id'> = {
      merchant_account_id: large,
      run: async (_, text, parameters = {}) => {
        const filled = text.replace(/(?<![:\w]):([a-z][a-z0-9_]*)/g, (_all, name: string) => literal(parameters[name]));
        const first = [`SET LOCAL app.merchant_account_id = '${large}'`];
        const explained = turn.then(() =>
          asRole(w.sql, { role: 'payment_app', first }, () =>
            w.sql<{ 'QUERY PLAN': { Plan: Readonly<Record<string, number>> }[] }>(
              `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${filled}`,
            ),
          ),
        );
        turn = explained;
        const [plan] = await explained;
        const { Plan } = plan?.['QUERY PLAN'][0] ?? {};
        pages += (Plan?.['Shared Hit Blocks'] ?? NaN) + (Plan?.['Shared Read Blocks'] ?? NaN);
        return [];
      },
    };
    await asking(explaining as TenantRunner);
    return pages;
  }

  /** The overview of so many days, and as many before. */
  const daysOf = (count: number) => (runner: TenantRunner) =>
    overviewOf(runner, {
      first: FIRST + 20 - count,
      count,
      zone: 'Europe/Paris',
      before: count,
      currency: null,
      now: new Date(TO_S * 1000),
    });

  test('grows with the days that are asked for, and is a small part of what is kept', async () => {
    const [row] = await w.sql<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM payment.order_sums WHERE merchant_account_id = decode($1, 'hex')`,
      [large],
    );
    expect(row?.rows).toBeGreaterThan(100_000);
    const [week, quarter] = [await pagesOf(daysOf(7)), await pagesOf(daysOf(90))];
    // a page of the index holds dozens of rows; looked up row by row in the table they were 26,360
    expect(quarter).toBeLessThan(2000);
    expect(week).toBeLessThan(quarter / 2);
    // the currencies are asked for beside it, of all days
    expect(await pagesOf(listCurrencies)).toBeLessThan(1000);
  });
});

test('every status has one outcome, and what was approved once stays approved', async () => {
  // as a host of the version before asks
  const outcomes = await w.sql<{ status: string; outcome: string }>(
    'SELECT s.status, payment.outcome_of(s.status) AS outcome FROM unnest($1::text[]) WITH ORDINALITY AS s (status, n) ORDER BY s.n',
    [Object.keys(ORDER_STATUSES)],
  );
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(OUTCOMES));
  const declined = outcomes.flatMap(({ status, outcome }) => (outcome === 'declined' ? [status] : []));
  expect(declined).toEqual(['risk_assessment_declined', 'authentication_declined', 'authorization_declined']);
  const approved = outcomes.filter(({ outcome }) => outcome !== 'declined' && outcome !== 'open');
  expect(approved.every(({ status }) => /^(?:authorization|capture|refund)_/.test(status))).toBe(true);
});

test('money in doubt is what the queue holds', async () => {
  const rows = await w.sql<{ currency: string; operations: string; amount: string }>(
    `SELECT currency, count(*) AS operations, sum(amount_minor) AS amount FROM payment.operations WHERE state = 'in_doubt' GROUP BY 1 ORDER BY 1`,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(
    (await sumInDoubt(db())).map(({ currency, operations, amount_minor }) => [
      currency,
      String(operations),
      String(amount_minor),
    ]),
  ).toEqual(rows.map(({ currency, operations, amount }) => [currency, operations, amount]));
});

test('the interval of a share is that of Wilson: known values, and never outside of 0 and 1', () => {
  // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29
  const rounded = (part: number, whole: number) => {
    const { low = NaN, high = NaN } = shareOf(part, whole) ?? {};
    return [low.toFixed(4), high.toFixed(4)];
  };
  expect(rounded(81, 263)).toEqual(['0.2553', '0.3662']);
  expect(rounded(15, 148)).toEqual(['0.0624', '0.1605']);
  expect(rounded(0, 20)).toEqual(['0.0000', '0.1611']);
  expect(rounded(1, 29)).toEqual(['0.0061', '0.1718']);
  expect(shareOf(0, 0)).toBeNull();
  expect(shareOf(20, 20)?.high).toBe(1);
});

test('days begin where the clocks of the viewer say, also around a change of the clocks', () => {
  const hoursOf = (zone: string, first: string, count: number) => {
    const day = Date.parse(first) / (DAY_S * 1000);
    const { begins } = periodOf({ first: day, count, zone }, Infinity);
    return begins.slice(1).map((begin, n) => begin - (begins[n] ?? 0));
  };
  expect(hoursOf('Europe/Paris', '2026-03-28', 3)).toEqual([24, 23, 24]);
  expect(hoursOf('Europe/Paris', '2026-10-24', 3)).toEqual([24, 25, 24]);
  expect(hoursOf('Asia/Kolkata', '2026-03-28', 3)).toEqual([24, 24, 24]);
  expect(beginOf(20_000, 'Asia/Kolkata')).toBe(20_000 * 24 - 6);
  expect(dayOf(Date.parse('2026-03-28T23:30:00Z'), 'Europe/Paris')).toBe(Date.parse('2026-03-29') / (DAY_S * 1000));
});
