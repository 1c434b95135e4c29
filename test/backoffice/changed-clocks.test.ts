// The overview of a day beside one with an hour more, because the clocks were changed in it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type World, world } from '../world.ts';
import { type Person, firstOwner } from './person.ts';

let w: World;
let ada: Person;
beforeAll(async () => {
  w = await world();
  ada = await firstOwner(w);
  // an order in each hour of three days, two in the last one of the day of 25
  await w.sql(
    `INSERT INTO payment.order_sums (
       merchant_account_id, facet, hours, at, currency, name, captured, refunded, authorized, released, declined,
       open, approved_minor)
     SELECT decode($1, 'hex'), 'all', 1, extract(epoch FROM hour)::int / 3600, 'EUR', '',
       CASE hour WHEN '2025-10-26T22:00Z' THEN 2 ELSE 1 END, 0, 0, 0, 0, 0, 100
     FROM generate_series('2025-10-24T22:00Z'::timestamptz, '2025-10-27T22:00Z', interval '1 hour') hour`,
    [w.account],
  );
});
afterAll(() => w[Symbol.asyncDispose]());

test.each([
  ['2025-10-27', 24, [...Array.from({ length: 23 }, () => 1), 3]],
  ['2025-10-26', 25, Array.from({ length: 24 }, () => 1)],
])(
  'on %s, of %i hours, nothing of the day before stands behind the last bar, and no order is missing',
  async (day, bars, before) => {
    const overview = await ada.get(`/api/overview?from=${day}&to=${day}&zone=Europe/Paris&compare=before`);
    expect(overview.at('series')).toHaveLength(bars);
    const shown = (overview.at('series_before') as readonly { readonly orders: number }[]).map(({ orders }) => orders);
    expect(shown).toEqual(before);
    expect(overview.at('earlier.orders')).toBe(shown.reduce((sum, orders) => sum + orders, 0));
  },
);
