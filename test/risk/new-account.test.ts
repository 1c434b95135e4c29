// docs/risk.md: a new account starts with rules that mark signs of card testing and never refuse.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../src/core/risk/default-rules.ts';
import { seedDemo } from '../../src/payment/merchant/demo.ts';
import { makeKeyText } from '../../src/payment/merchant/keys.ts';
import { draftOf } from '../../src/payment/risk/publish.ts';
import { parseJson } from '../../src/core/json.ts';
import { type Client, textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/** An account as it is made, with all it starts with. */
async function newAccount(): Promise<Client & { readonly id: string }> {
  const { tools } = w.service;
  const make = (kind: 'private' | 'public') =>
    makeKeyText(tools.chance, { letters: 'FL', kind, environment: 'sandbox' });
  const keys = { private_key: make('private'), public_key: make('public') };
  const id = tools.chance.id();
  await seedDemo(tools, id, keys);
  return Object.assign(w.client(keys), { id });
}

const DECLINED = { card_number: '4000000000009995' };

test('the first order of a new account says that its risk was assessed, and is not suspicious', async () => {
  const shop = await newAccount();
  const paid = await shop.pay();
  expect([paid.code, paid.at('is_suspicious'), paid.at('risk_assessment_result')]).toEqual([
    '955555',
    false,
    'accepted',
  ]);
  const read = await shop.read(textAt(paid, 'order_id'));
  expect(read.at('transactions.0.risk_assessment_result')).toBe('accepted');
});

test('the sixth attempt with a card that was declined five times is marked, and goes through', async () => {
  const shop = await newAccount();
  for (let i = 0; i < 5; i++) expect((await shop.pay(DECLINED)).at('is_suspicious')).toBe(false);
  const sixth = await shop.pay(DECLINED);
  expect([sixth.code, sixth.at('is_suspicious')]).toEqual(['420100', true]);
  const read = await shop.read(textAt(sixth, 'order_id'));
  expect(read.at('transactions.0.risk_assessment_reason')).toContain('declines of a card');
  expect((await shop.pay()).at('is_suspicious')).toBe(false);
});

test('many different cards from one address, or of one customer, are marked, and all of them are sent on', async () => {
  const shop = await newAccount();
  const cards = ['4000000000000002', '4000000000009995', '4000000000006975', '4000000000009987', '4000000000009979'];
  for (const fields of [{ customer_ip: '192.0.2.9' }, { customer_id: 'tester' }]) {
    const limit = 'customer_ip' in fields ? 10 : 5;
    for (let i = 0; i < limit; i++) await shop.pay({ card_number: cards[i % cards.length] }, fields);
    const next = await shop.pay({ card_number: '4242424242424242' }, fields);
    expect([next.code, next.at('is_suspicious')]).toEqual(['955555', true]);
  }
});

test('a hundred orders with one card at once are all taken', async () => {
  const shop = await newAccount();
  const tokens = await Promise.all(Array.from({ length: 100 }, () => shop.token()));
  const replies = await Promise.all(tokens.map((token) => shop.pay({}, { token })));
  expect(new Set(replies.map(({ status, code }) => JSON.stringify([status, code])))).toEqual(
    new Set(['[200,"955555"]']),
  );
});

test('twenty orders of one customer at once are all counted, and the one after them is marked', async () => {
  const shop = await newAccount();
  const tokens = await Promise.all(Array.from({ length: 20 }, () => shop.token()));
  const pay = (token: string) => shop.pay({}, { token, customer_id: 'in-a-hurry' });
  const replies = await Promise.all(tokens.map(pay));
  expect(replies.filter((reply) => reply.at('is_suspicious') === true)).toEqual([]);
  const next = await pay(await shop.token());
  expect([next.code, next.at('is_suspicious')]).toEqual(['955555', true]);
  expect((await shop.read(textAt(next, 'order_id'))).at('transactions.0.risk_assessment_reason')).toContain(
    '20 attempts of',
  );
});

test('the rules are published: version 1, as docs/risk.md lists them, and a draft that could be published again', async () => {
  const shop = await newAccount();
  const [row] = await w.sql(
    `SELECT version, rules, by_name FROM payment.risk_versions WHERE merchant_account_id = decode($1, 'hex')`,
    [shop.id],
  );
  expect(row).toEqual({ version: 1, rules: DEFAULT_RULES, by_name: 'florin' });
  expect(draftOf(parseJson(JSON.stringify(DEFAULT_RULES)))).toEqual(DEFAULT_RULES);
  const page = readFileSync(new URL('../../docs/risk.md', import.meta.url), 'utf8');
  for (const { name, limit } of DEFAULT_RULES)
    expect(page).toMatch(new RegExp(`^\\| ${name} \\|.*\\| ${limit} \\|$`, 'm'));
});

test('an account that is there keeps what it has', async () => {
  const other = await w.otherShop();
  const [before] = await w.sql<{ id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts WHERE settings -> 'risk' IS NULL ORDER BY 1 DESC LIMIT 1`,
  );
  await seedDemo(w.service.tools, before?.id ?? '', other.keys);
  const paid = await other.pay();
  expect([paid.code, paid.at('risk_assessment_result')]).toEqual(['955555', '']);
});
