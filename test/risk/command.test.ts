// florin risk as an operator runs it, beside the running service.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { florin } from '../command.ts';
import { type World, world } from '../world.ts';
import { accountOf, inForce } from './till.ts';

let w: World;
let account: string;
beforeAll(async () => {
  w = await world();
  account = await accountOf(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const risk = (...args: readonly string[]) => florin(w, 'risk', ...args, '--account', account);

function file(name: string, rules: unknown): string {
  const path = join(w.data_dir, name);
  writeFileSync(path, JSON.stringify(rules));
  return path;
}

test('a draft is checked, tried, published and taken back; a value is blocked by the same words', async () => {
  expect((await w.shop.pay({}, { amount: '70' })).code).toBe('955555');
  const good = file('good.json', [{ name: 'large', kind: 'amount', above: '50', currency: 'EUR' }]);
  const [wrong, tried] = await Promise.all([
    risk('publish', file('wrong.json', [{ name: 'large', kind: 'amount', above: 'much' }]), '--by', 'ada'),
    risk('try', good),
  ]);
  expect(wrong).toMatch(/^1\n[\s\S]*rules\[0\]\.currency[\s\S]*rules\[0\]\.above/);
  expect(tried).toMatch(
    /^0\nadded {4}large\n[\s\S]*large +131088 +1 +1 [\s\S]*Of 1 attempts 1 would have been refused; 0 were\./,
  );
  const [published, blocked] = await Promise.all([
    risk('publish', good, '--by', 'ada', '--note', 'first'),
    risk('block', 'email', 'bad@shop.example', '--by', 'ada'),
  ]);
  expect(published).toMatch(/^0\nVersion 1 is in force: 1 rules\./);
  expect(blocked).toMatch(/^0\nOn the block list: [0-9a-f]{24}/);
  await inForce(w);
  // the service knows the value by the same key
  expect((await w.shop.pay({}, { customer_email: 'Bad@shop.example' })).code).toBe('131010');
  expect((await w.shop.pay({}, { amount: '70' })).code).toBe('131088');
  const [taken, entries] = await Promise.all([risk('roll-back', '0', '--by', 'bob'), risk('entries')]);
  expect([taken, entries]).toEqual([
    expect.stringMatching(/^0\nVersion 2 is in force, with the rules of version 0\./),
    expect.stringMatching(/block +email +b…@shop\.example +always +ada/),
  ]);
  const entry = /block/.test(entries) ? (/[0-9a-f]{24}/.exec(entries)?.[0] ?? '') : '';
  expect(await risk('remove', entry, '--by', 'cleo')).toMatch(/^0\n/);
  // what a command does is in the audit as what a page does, and what it was refused is not
  const records = await w.sql(
    `SELECT actor, action, reason FROM payment.audit WHERE source = 'command line' ORDER BY actor, action`,
  );
  expect(records).toEqual([
    { actor: 'ada', action: 'risk list changed', reason: null },
    { actor: 'ada', action: 'risk rules published', reason: 'first' },
    { actor: 'bob', action: 'risk rules rolled back', reason: null },
    { actor: 'cleo', action: 'risk list changed', reason: null },
  ]);
  expect(await risk('list')).toMatch(/2 +0 +\S+ +bob +back to 0\n1 +1 +\S+ +ada +first/);
});

test('a card number that is typed at the command line is written down nowhere', async () => {
  const card = '4111111111111111';
  const empty = file('empty.json', []);
  const [noted, valued, settled] = await Promise.all([
    risk('publish', empty, '--by', 'ada', '--note', `they paid with ${card}`),
    risk('block', 'custom', `${card}=yes`, '--by', 'ada'),
    florin(
      w,
      'review',
      'settle-finding',
      'f'.repeat(24),
      '--reason',
      `it was ${card}, seen at the bank`,
      '--by',
      'ada',
    ),
  ]);
  expect([noted, valued, settled]).toEqual([
    expect.stringMatching(/^1\n[\s\S]*--note holds a card number/),
    expect.stringMatching(/^1\n[\s\S]*value holds a card number/),
    expect.stringMatching(/^1\n[\s\S]*--reason holds a card number/),
  ]);
  const rows = await w.sql(
    `SELECT FROM payment.audit a WHERE a::text LIKE '%' || $1 || '%'
     UNION ALL SELECT FROM payment.risk_entries e WHERE e::text LIKE '%' || $1 || '%'
     UNION ALL SELECT FROM payment.risk_versions v WHERE v::text LIKE '%' || $1 || '%'`,
    [card],
  );
  expect(rows).toEqual([]);
});

test('lists that are longer than a page say so at the command line, and are read page by page in the back office', async () => {
  const ada = await firstOwner(w);
  expect((await ada.get('/api/risk/lists')).at('next_cursor')).toBe(null);
  await w.sql(
    `INSERT INTO payment.risk_entries (merchant_account_id, subject, id, kind, verdict, shown, by_name)
     SELECT decode($1, 'hex'), decode(lpad(to_hex(n), 32, '0'), 'hex'), decode(lpad(to_hex(n), 24, '0'), 'hex'), 'email',
       'block', 'x…@shop.example', 'ada'
     FROM generate_series(1, 1001) n`,
    [account],
  );
  let cursor: unknown;
  for (const [length, last] of [
    [500, 502],
    [500, 2],
    [1, 1],
  ] as const) {
    const listed = await ada.get(`/api/risk/lists${typeof cursor === 'string' ? `?cursor=${cursor}` : ''}`);
    expect([(listed.at('entries') as readonly object[]).length, listed.say(`entries.${length - 1}.id`)]).toEqual([
      length,
      last.toString(16).padStart(24, '0'),
    ]);
    cursor = listed.at('next_cursor');
  }
  expect(cursor).toBe(null);
  expect(await risk('entries')).toMatch(/Only the newest 1000 are shown\.\n$/);
  // the oldest can be taken off, too
  const oldest = await ada.ask('DELETE', `/api/risk/lists/${'1'.padStart(24, '0')}`, { reason: 'it is over' });
  expect(oldest.status).toBe(200);
});
