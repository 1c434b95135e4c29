// Visa's count of declines for wrong data, by merchant number within 30 days: shown as a share of the number from which
// each costs. It holds nothing back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CAPS, dataQualityOn } from '../../src/core/retries/caps.ts';
import { shareOfDataDeclines } from '../../src/payment/declines/data-quality.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const declined = (acceptor: string, count: number, of: { category: number; days: number }) =>
  w.sql(
    `INSERT INTO payment.declines (merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme, amount_minor, currency, open, category)
     SELECT decode($1, 'hex'), sha256(n::text::bytea), payment.now() - make_interval(days => $5::int), substr(sha256(($2::text || n || $4::int || $5::int)::bytea), 1, 12),
       $2, 'p', 'visa', 100, 'EUR', false, $4::int
     FROM generate_series(1, $3::int) n`,
    [w.account, acceptor, count, of.category, of.days],
  );

test('the merchant number with most of them is shown; other categories and what is older are not counted', async () => {
  const { tools } = w.service;
  const now = new Date('2026-12-01T12:00:00Z');
  expect(await shareOfDataDeclines(tools, now)).toBe(0);
  await declined('one', 5_000, { category: 3, days: 3 });
  await declined('other', 2_500, { category: 3, days: 20 });
  await declined('other', 4_000, { category: 2, days: 2 });
  await declined('other', 4_000, { category: 3, days: 31 });
  expect(await shareOfDataDeclines(tools, now)).toBe(0.2);
});

test('before Visa published a number there is none', async () => {
  expect(dataQualityOn(CAPS, '2026-12-01')).toEqual({ limit: 25_000, window_s: 30 * 86_400 });
  expect(dataQualityOn(CAPS, '2026-04-24')).toBeUndefined();
  expect(await shareOfDataDeclines(w.service.tools, new Date('2026-04-24T12:00:00Z'))).toBeUndefined();
});
