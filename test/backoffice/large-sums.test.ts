// Sums that a number of JSON cannot hold: pages that show them stay, and show them to the last digit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moneyText } from '../../web/backoffice/base/format.ts';
import { idOf } from '../ledger/till.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Person, firstOwner } from './person.ts';

/** One more than a number of JSON holds, and what a person reads of it. */
const MANY = '9007199254740993';
const READ = '90,071,992,547,409.93';

let w: World;
let ada: Person;
let capture: string;
beforeAll(async () => {
  w = await world();
  ada = await firstOwner(w);
  capture = await idOf(w, textAt(await w.shop.pay(), 'order_id'), 'capture');
});
afterAll(() => w[Symbol.asyncDispose]());

test('a file whose differences are together more than any sum hides nothing else that needs a person', async () => {
  await w.sql(
    `INSERT INTO payment.reconcile_findings (
       id, merchant_account_id, provider, kind, what, reference, order_id, ours, theirs, amount_minor,
       currency, source, became, state)
     SELECT decode(lpad(to_hex(n), 24, '0'), 'hex'), decode($1, 'hex'), 'simulator', 'missing here', 'capture',
       decode(lpad(to_hex(n), 24, '0'), 'hex'), decode(lpad(to_hex(n), 24, '0'), 'hex'), 'nothing', 'done',
       CASE n WHEN 1 THEN 199254740993 ELSE 1000000000000 END, 'EUR', 'wrong.jsonl', '', 'open'
     FROM generate_series(1, 9008) n`,
    [w.account],
  );
  const needs = await ada.get('/api/needs');
  expect([needs.status, needs.at('findings')], needs.text).toEqual([
    200,
    [expect.objectContaining({ currency: 'EUR', count: 9008, amount_minor: MANY })],
  ]);
  expect(moneyText(needs.say('findings.0.amount_minor'), 'EUR')).toBe(READ);
});

test('an overview of orders that are together more than that shows their volume', async () => {
  await w.sql(
    `INSERT INTO payment.order_sums (
       merchant_account_id, facet, hours, at, currency, name, captured, refunded, authorized, released, declined,
       open, approved_minor)
     SELECT decode($1, 'hex'), 'all', hours, 20000 * 24 / hours, 'IDR', '', 9008, 0, 0, 0, 0, 0, $2::numeric
     FROM unnest(ARRAY[1, 24]) hours`,
    [w.account, MANY],
  );
  const day = new Date(20_000 * 86_400_000).toISOString().slice(0, 10);
  for (const more of ['', '&currency=IDR']) {
    const overview = await ada.get(`/api/overview?from=${day}&to=${day}${more}`);
    expect([overview.status, overview.at('currencies.0.now')], overview.text).toEqual([
      200,
      expect.objectContaining({ orders: 9008, volume_minor: MANY }),
    ]);
  }
});

test('disputes that wait for an answer are summed up so, too', async () => {
  await w.sql(
    `INSERT INTO payment.disputes (
       id, merchant_account_id, order_id, operation_id, provider, state, amount_minor, currency, reason, reason_code,
       opened_at, due_at)
     SELECT decode($2, 'hex'), p.merchant_account_id, p.order_id, p.id, p.provider, 'opened', $1::bigint, 'EUR',
       'fraudulent', '10.4', now(), now() + interval '1 day'
     FROM payment.operations p WHERE p.id = decode($2, 'hex')`,
    [MANY, capture],
  );
  const due = await ada.get('/api/disputes/due');
  expect([due.status, due.at('due.0.amount_minor')], due.text).toEqual([200, MANY]);
});
