// A rule that chooses by what is left after fees: fees are stated, refused where they are missing, and move the shares
// of live orders.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { dayOf } from '../../src/core/retries/day.ts';
import { noting } from '../../src/hosts/noting.ts';
import { feesToday } from '../../src/payment/routing/fees.ts';
import { hourNow, learner } from '../../src/payment/routing/learn/learn.ts';
import { readLearnt } from '../../src/payment/routing/learn/learnt.ts';
import { type Count, replaceCounts } from '../../src/payment/routing/learn/outcomes-store.ts';
import { draftRoutes, publishRoutes } from '../../src/payment/routing/publish.ts';
import { tryRoutes } from '../../src/payment/routing/try.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt } from '../client.ts';
import { numberOf } from '../providers/client.ts';
import { accountOf, inForce } from '../risk/till.ts';
import { type World, world } from '../world.ts';
import { florin } from '../command.ts';

let w: World;
let account: string;
let owner: Person;
let ids: readonly string[];
beforeAll(async () => {
  w = await world();
  account = await accountOf(w);
  owner = await firstOwner(w);
  const rows = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.contracts WHERE merchant_account_id = decode($1, 'hex') ORDER BY priority`,
    [account],
  );
  ids = rows.map(({ id }) => id);
});
afterAll(() => w[Symbol.asyncDispose]());

const draftOf = async (document: object) =>
  (await draftRoutes(w.service.tools, account, parseJson(JSON.stringify(document)))).draft;
const BEST = {
  rules: [
    {
      name: 'best',
      when: { currency: ['EUR', 'USD'], scheme: ['visa'] },
      then: { best_of: ['simulator', 'simulator_b'], by: 'value', floor: 1000, control: 2000 },
    },
  ],
};
const problemsOf = async (document: object) => {
  try {
    await draftOf(document);
    return [];
  } catch (error) {
    const { extras } = error as { extras?: { problems?: readonly { field: string; message: string }[] } };
    return extras?.problems?.map(({ field, message }) => `${field} ${message}`) ?? [String(error)];
  }
};

const command = (...args: readonly string[]) => florin(w, ...args, '--account', account);

test('a rule by value is refused while a contract has no fees for what the rule names; the refusal says for each contract what is missing', async () => {
  const none = 'has no fees: by value is compared only what is known (florin routing fees)';
  expect(await problemsOf(BEST)).toEqual([`rules[0].then.best_of[0] ${none}`, `rules[0].then.best_of[1] ${none}`]);
  const file = join(w.data_dir, 'fees.json');
  writeFileSync(
    file,
    JSON.stringify([{ currency: 'EUR', percent: '1.2', fixed: '0.25', attempt: '0.001' }, { percent: -1 }]),
  );
  const of = ['--contract', 'simulator', '--by', 'ada'];
  const wrong = await command('routing', 'fees', file, ...of);
  expect(wrong).toMatch(
    /^1\n[\s\S]*fees\[0\]\.attempt has more decimals than the currency allows\nfees\[1\]\.percent /,
  );
  expect(await command('routing', 'fees')).toBe('0\nNo fees were stated.\n');
  writeFileSync(file, JSON.stringify([{ currency: 'EUR', percent: '1.2', fixed: '0.25' }]));
  expect(await command('routing', 'fees', file, ...of, '--note', 'as signed')).toMatch(
    /^0\nFees of simulator are stated \(version 1\) and hold since \d{4}-\d\d-\d\d: 1 rows\.\n$/,
  );
  expect(await problemsOf(BEST)).toEqual([
    'rules[0].then.best_of[0] has no fees for USD visa',
    `rules[0].then.best_of[1] ${none}`,
  ]);
  const other = {
    rules: [{ name: 'x', then: { best_of: ['simulator', 'simulator_b'], by: 'approval', margin: 100 } }],
  };
  expect(await problemsOf(other)).toEqual(['rules[0].then.margin belongs to by value']);
  const split = { split: [['simulator', 10_000]], by: 'value' };
  expect(await problemsOf({ rules: [{ name: 'x', then: split }] })).toEqual([
    'rules[0].then.by must be order, customer or card of a split',
  ]);
});

test('fees stated in the back office hold from their day, the latest day goes before, and all of it is kept and audited', async () => {
  const [a = '', b = ''] = ids;
  const wrong = await owner.post(`/api/providers/${a}/fees`, { fees: [{ percent: 'x' }], reason: 'as signed' });
  expect([wrong.status, wrong.at('errors.0.field')]).toEqual([400, 'fees[0].percent']);
  const fees = [{ currency: 'EUR', percent: '3' }, { percent: '4' }];
  const now = w.service.tools.clock.now();
  const tomorrow = dayOf(new Date(now.getTime() + 86_400_000));
  await owner.post(`/api/providers/${a}/fees`, { fees: [{ percent: '9' }], from: tomorrow, reason: 'next year' });
  await owner.post(`/api/providers/${a}/fees`, { fees, reason: 'as signed' });
  const told = await owner.post(`/api/providers/${b}/fees`, {
    fees: [{ percent: '0.5' }],
    from: '2026-01-01',
    reason: 'ours',
  });
  expect([told.status, told.at('fees.0.state'), told.at('fees.0.rows')]).toEqual([200, 'holds', [{ percent: '0.5' }]]);
  // a correction of last year's, which ended when today's began
  await owner.post(`/api/providers/${a}/fees`, {
    fees: [{ percent: '7' }],
    from: '2025-01-01',
    reason: 'a correction',
  });
  const holds = await feesToday(w.service.tools, account);
  expect(
    holds.map(({ version, fees: rows }) => [version, rows] as const).toSorted(([one], [other]) => one - other),
  ).toEqual([
    [1, [{ percent: '0.5' }]],
    [3, fees],
  ]);
  const listed = await owner.get('/api/providers');
  expect([0, 1, 2, 3].map((i) => listed.at(`contracts.0.fees.${i}.state`))).toEqual([
    'past',
    'holds',
    'to_come',
    'past',
  ]);
  const audit = await w.sql<{ actor: string }>(
    "SELECT actor FROM payment.audit WHERE action = 'contract fees stated' ORDER BY seq",
  );
  expect(audit.map(({ actor }) => actor === 'ada')).toEqual([true, false, false, false, false]);
  const shown = await command('routing', 'fees');
  expect(shown).toMatch(/simulator +3, holds +\S+ +\S+ +EUR +3 %/);
  expect(shown).toMatch(/simulator_b +1, holds +2026-01-01 +\S+ +any currency +0\.5 %/);
  await expect(w.sql("UPDATE payment.contract_fees SET fees = '[]'")).rejects.toThrow('contract_fees');
});

test('the cheaper one gets what is left after the floor and the control group, each order with its exact propensity', async () => {
  expect(await problemsOf(BEST)).toEqual([]);
  const version = await publishRoutes(w.service.tools, account, { draft: await draftOf(BEST), by: 'ada' });
  const hour = hourNow(w.service.tools) - 100;
  const [a = '', b = ''] = ids;
  const of = { hour, rule: 'best', since: version, controlled: false, tried: 30_000, amount_minor: 30_000 * 5000 };
  const cells = ['EUR visa payer', 'GBP visa payer'];
  const counts = cells.flatMap((cell): readonly Count[] => [
    { ...of, cell, contract_id: a, approved: 25_800 },
    { ...of, cell, contract_id: b, approved: 25_500 },
  ]);
  await replaceCounts(w.service.tools.db.tenant(account), hour, counts);
  await learner(w.service.tools, noting())();
  const { rules } = await readLearnt(w.service.tools, account);
  // 86 of 100 at 3 % and 85 at 0.5 %: by approval the first would have most
  expect(rules).toMatchObject([{ by: 'value', missing: null, stopped: null, without_fees: [] }]);
  expect(rules[0]?.cells.find(({ cell }) => cell === 'EUR visa payer')?.arms).toMatchObject([
    { points: 1000, kept: 0.97 },
    { points: 9000, kept: 0.995 },
  ]);
  expect(await command('routing', 'learnt')).toMatch(/EUR visa payer +simulator_b +90 % +[\d,]+ +\S+ +99\.5 %/);
  await inForce(w);
  const orders = await Promise.all(Array.from({ length: 8 }, () => w.shop.pay()));
  for (const order of orders) {
    const [row] = await w.sql<{ route: { o: readonly number[]; p: number } }>(
      `SELECT route FROM payment.transactions WHERE order_id = decode($1, 'hex')`,
      [textAt(order, 'order_id')],
    );
    expect(row?.route.p).toBe(row?.route.o[0] === 1 ? 7200 : 2800);
  }
  const trial = await tryRoutes(w.service.tools, account, { draft: await draftOf(BEST) });
  expect([trial.attempts, trial.defects]).toEqual([8, 0]);
});

test('if no fees cover a currency any more, its payments go by approval, and the page says so', async () => {
  const [, b = ''] = ids;
  await owner.post(`/api/providers/${b}/fees`, { fees: [{ currency: 'EUR', percent: '0.5' }], reason: 'EUR alone' });
  await learner(w.service.tools, noting())();
  const { rules } = await readLearnt(w.service.tools, account);
  expect(rules[0]?.without_fees).toEqual(['GBP visa payer']);
  const [first] = rules[0]?.cells.find(({ cell }) => cell === 'GBP visa payer')?.arms ?? [];
  expect(first?.points).toBeGreaterThan(5000);
  expect(first?.kept).toBe(null);
  expect(await command('routing', 'learnt')).toContain('fees are not known there: GBP visa payer');
});

test('if fees depend on the card, outcomes are counted by its country and kind, and are worth what these cost', async () => {
  const [a = '', b = ''] = ids;
  const fees = [
    { currency: 'EUR', region: 'domestic', percent: '1' },
    { currency: 'EUR', percent: '4' },
  ];
  for (const [id, acquirer_country] of [[a, 'FR'] as const, [b, 'DE'] as const])
    await owner.post(`/api/providers/${id}/fees`, { fees, acquirer_country, reason: 'by region' });
  const shown = await command('routing', 'fees');
  expect(shown).toMatch(/simulator +\d+, holds +\S+ +\S+ +FR +EUR domestic +1 %/);
  await learner(w.service.tools, noting())();
  const rows = await w.sql<{ mix: readonly object[] }>('SELECT mix FROM payment.route_counts WHERE mix IS NOT NULL');
  const mixed = rows.flatMap(({ mix }) => mix);
  expect(mixed.length).toBeGreaterThan(0);
  for (const part of mixed) expect(part).toMatchObject({ card_country: 'FR', funding: 'credit' });
  const { rules } = await readLearnt(w.service.tools, account);
  // the same cards at both: at home for one of them
  expect(rules[0]?.cells.find(({ cell }) => cell === 'EUR visa payer')?.arms).toMatchObject([
    { kept: 0.99 },
    { kept: 0.96 },
  ]);
});

test('a trial says what the orders cost by the fees of their day, exactly where they go where they went', async () => {
  const spread = await w.sql<{ contract: string; n: number }>(
    `SELECT encode(contract_id, 'hex') AS contract, count(*)::int AS n FROM payment.transactions GROUP BY 1`,
  );
  const at = (id: string | undefined) => spread.find(({ contract }) => contract === id)?.n ?? 0;
  const [at_a, at_b] = [at(ids[0]), at(ids[1])];
  // 1 % and 4 % of 25.00
  const known = { currency: 'EUR', known: 8, known_minor: 25 * at_a + 100 * at_b, unknown: 0 };
  const draft = await draftOf({ rules: [{ name: 'a', then: { order: ['simulator', 'simulator_b'] } }] });
  const moved = await tryRoutes(w.service.tools, account, { draft });
  expect(moved.costs).toMatchObject([{ ...known, same: at_a, same_minor: 25 * at_a }]);
  const [best] = BEST.rules;
  const same = { rules: [{ ...best, when: { currency: ['EUR'], scheme: ['visa'] } }] };
  const kept = await tryRoutes(w.service.tools, account, { draft: await draftOf(same) });
  expect(kept.costs).toMatchObject([{ ...known, same: 8, same_minor: known.known_minor }]);
  const file = join(w.data_dir, 'best.json');
  writeFileSync(file, JSON.stringify(same));
  expect(await command('routing', 'try', file)).toMatch(
    /\nFees as stated: 8 attempts cost \d\.\d\d EUR\. They would have cost the same\.\n/,
  );
});

test('an attempt that went on costs both tries; without the second the draft costs less', async () => {
  const [a = '', b = ''] = ids;
  for (const [id, attempt] of [[a, '0.10'] as const, [b, '0.07'] as const])
    await owner.post(`/api/providers/${id}/fees`, {
      fees: [{ currency: 'EUR', percent: '1', attempt }],
      reason: 'each try',
    });
  const rules = [{ name: 'first', then: { order: ['simulator', 'simulator_b'] } }];
  await publishRoutes(w.service.tools, account, { draft: await draftOf({ rules }), by: 'ada' });
  await inForce(w);
  const after = textAt(await w.shop.pay(), 'order_id');
  const first = await w.shop.pay({ card_number: numberOf('420240') });
  const order_id = textAt(first, 'order_id');
  expect((await w.shop.read(order_id)).at('transactions.1.payin_partner')).toBe('simulator_b');
  const costsOf = async (document: object) =>
    (await tryRoutes(w.service.tools, account, { draft: await draftOf(document), after })).costs[0];
  expect(await costsOf({ rules })).toMatchObject({ known: 1, known_minor: 17, same: 1, same_minor: 17, unknown: 0 });
  const alone = await costsOf({ rules, cascade: 0 });
  expect(alone).toMatchObject({ known: 1, known_minor: 17, same: 0, outcome: { y: 17, wy: 10, unseen: 0 } });
});
