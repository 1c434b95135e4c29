// A rule that learns: orders are drawn and noted, outcomes become shares, a trial says what it can carry, and the guard
// stops by itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { momentOf } from '../../src/core/ids.ts';
import { parseJson } from '../../src/core/json.ts';
import { judge } from '../../src/core/routing/learn/snips.ts';
import { noting } from '../../src/hosts/noting.ts';
import { hourNow, learner } from '../../src/payment/routing/learn/learn.ts';
import { letGoOn, readLearnt } from '../../src/payment/routing/learn/learnt.ts';
import { type Count, findCounts, replaceCounts } from '../../src/payment/routing/learn/outcomes-store.ts';
import { draftRoutes, publishRoutes } from '../../src/payment/routing/publish.ts';
import type { Tools } from '../../src/payment/tools.ts';
import { tryRoutes } from '../../src/payment/routing/try.ts';
import { textAt } from '../client.ts';
import { numberOf } from '../providers/client.ts';
import { accountOf, inForce } from '../risk/till.ts';
import { type World, world } from '../world.ts';

let w: World;
let account: string;
let ids: readonly string[];
beforeAll(async () => {
  w = await world();
  account = await accountOf(w);
  await leaveLearningToTest();
  const rows = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.contracts WHERE merchant_account_id = decode($1, 'hex') ORDER BY priority`,
    [account],
  );
  ids = rows.map(({ id }) => id);
});
afterAll(() => w[Symbol.asyncDispose]());

/**
 * The worker, which learns once a minute, finds no account any more; public.learning_accounts says what it would find.
 */
async function leaveLearningToTest(): Promise<void> {
  const [row] = await w.sql<{ made: string }>(
    "SELECT pg_get_functiondef('payment.learning_accounts'::regproc) AS made",
  );
  const made = row?.made ?? '';
  await w.sql(made.replace('FUNCTION payment.', 'FUNCTION public.'));
  await w.sql(made.replace('FROM merchant_accounts a', 'FROM (SELECT * FROM merchant_accounts LIMIT 0) a'));
}

const draftOf = async (document: object) =>
  (await draftRoutes(w.service.tools, account, parseJson(JSON.stringify(document)))).draft;
async function publish(document: object): Promise<void> {
  await publishRoutes(w.service.tools, account, { draft: await draftOf(document), by: 'ada' });
  await inForce(w);
}
const db = () => w.service.tools.db.tenant(account);
const learn = (changed: Partial<Tools['db']> = {}) => {
  const { tools } = w.service;
  const looks = { ...tools.db.looks, run: async () => [{ merchant_account_id: account }] as never };
  return learner({ ...tools, db: { ...tools.db, looks, ...changed } }, noting())();
};
async function noteOf(order_id: string): Promise<Record<string, unknown>> {
  const [row] = await w.sql<{ route: Record<string, unknown> }>(
    `SELECT route FROM payment.transactions WHERE order_id = decode($1, 'hex') AND attempt = 1`,
    [order_id],
  );
  return row?.route ?? {};
}
const BEST = {
  rules: [{ name: 'best', then: { best_of: ['simulator', 'simulator_b'], floor: 1000, control: 2000 } }],
};
const CELL = 'EUR visa payer';
/** As if an hour of the week before had been busy. */
async function busy(
  counts: readonly Pick<Count, 'contract_id' | 'controlled' | 'tried' | 'approved'>[],
): Promise<void> {
  const hour = hourNow(w.service.tools) - 100;
  const of = { hour, rule: 'best', since: 1, cell: CELL, amount_minor: 1000 };
  await replaceCounts(
    db(),
    hour,
    counts.map((one) => ({ ...of, ...one })),
  );
}

test('before anything is learnt its own order holds but for the floor; outcomes are counted from the orders', async () => {
  await publish(BEST);
  const orders = await Promise.all(Array.from({ length: 12 }, () => w.shop.pay()));
  await w.shop.pay({ card_number: '4000000000009995' });
  const notes: Record<string, unknown>[] = [];
  for (const order of orders) notes.push(await noteOf(textAt(order, 'order_id')));
  for (const { p, o, w: weights } of notes) {
    expect(weights).toBe(0);
    // 0.2 of the control group and 0.8 of nine in ten, or of one in ten
    expect(p).toBe((o as number[])[0] === 0 ? 9200 : 800);
  }
  await learn();
  const counts = await findCounts(db(), 0);
  const tried = counts.reduce((sum, one) => sum + one.tried, 0);
  // an empty account is the payer's own doing, and says nothing of a contract
  expect([tried, counts.reduce((sum, one) => sum + one.approved, 0)]).toEqual([12, 12]);
  expect(counts.every((one) => one.cell === CELL && one.rule === 'best' && one.since === 1)).toBe(true);
  const controlled = notes.filter(({ c }) => c === 1).length;
  expect(counts.filter((one) => one.controlled).reduce((sum, one) => sum + one.tried, 0)).toBe(controlled);
  // trouble of a provider says something of it
  await w.shop.pay({ card_number: numberOf('420240') });
  await learn();
  await learn();
  const again = await findCounts(db(), 0);
  expect(again.reduce((sum, one) => sum + one.tried, 0)).toBe(13);
});

test('a look at two days is made of statements for a quarter of an hour each, and counts every order once', async () => {
  const asked: { minutes: number; orders: number }[] = [];
  const idOf = (value: unknown) => String(value).replace('\\x', '');
  const tenant: Tools['db']['tenant'] = (id) => {
    const own = w.service.tools.db.tenant(id);
    const run: typeof own.run = async (name, text, values) => {
      const rows = await own.run<never>(name, text, values);
      if (name === 'find_route_outcomes') {
        const [from = 0, to = 0] = ['after', 'until'].map((one) => momentOf(idOf(values?.[one])).getTime());
        const orders = rows.reduce((sum, row) => sum + Number(row['orders']), 0);
        asked.push({ minutes: (to - from) / 60_000, orders });
      }
      return rows;
    };
    return { ...own, run };
  };
  await learn({ tenant });
  expect(asked.length).toBeGreaterThanOrEqual(4 * 48);
  // the last has no end: a clock may be ahead
  expect(new Set(asked.slice(0, -1).map(({ minutes }) => minutes))).toEqual(new Set([15]));
  const [routed] = await w.sql<{ orders: number }>(
    `SELECT count(*)::int AS orders FROM payment.transactions WHERE attempt = 1 AND route IS NOT NULL`,
  );
  expect(asked.reduce((sum, { orders }) => sum + orders, 0)).toBe(routed?.orders);
});

test('new weights are in force within a second, are written only when they change, and every past choice comes out again', async () => {
  const [a = '', b = ''] = ids;
  await busy([
    { contract_id: a, controlled: false, tried: 3000, approved: 2400 },
    { contract_id: b, controlled: false, tried: 3000, approved: 2800 },
  ]);
  await learn();
  const { version, rules } = await readLearnt(w.service.tools, account);
  expect(rules).toMatchObject([
    { rule: 'best', missing: null, stopped: null, arms: [{ points: 1000 }, { points: 9000 }] },
  ]);
  await learn();
  expect((await readLearnt(w.service.tools, account)).version).toBe(version);
  await inForce(w);
  const orders = await Promise.all(Array.from({ length: 12 }, () => w.shop.pay()));
  for (const order of orders) {
    const note = await noteOf(textAt(order, 'order_id'));
    expect(note).toMatchObject({ w: version, p: (note['o'] as number[])[0] === 1 ? 7200 : 2800 });
  }
  const trial = await tryRoutes(w.service.tools, account, { draft: await draftOf(BEST) });
  expect([trial.attempts, trial.defects, trial.tried_again]).toEqual([26, 0, 0]);
  // drawn from both, so every one of them says something; but a few dozen carry no number
  const all_to_b = await tryRoutes(w.service.tools, account, {
    draft: await draftOf({ rules: [{ name: 'all to b', then: { order: ['simulator_b'] } }] }),
  });
  expect(all_to_b.outcome).toMatchObject({ orders: 26, unseen: 0 });
  expect(judge(all_to_b.outcome)).toMatchObject({ why: 'few' });
});

test('a control group that does better stops the rule, with a record; a person lets it go on', async () => {
  const [a = '', b = ''] = ids;
  await busy([
    { contract_id: a, controlled: true, tried: 2000, approved: 1800 },
    { contract_id: b, controlled: false, tried: 5000, approved: 4000 },
    { contract_id: a, controlled: false, tried: 500, approved: 450 },
  ]);
  await learn();
  const [stopped] = (await readLearnt(w.service.tools, account)).rules;
  expect(stopped?.stopped).toMatch(/points fewer approved than in the control group since it began$/);
  expect(stopped?.arms.map(({ points }) => points)).toEqual([10_000, 0]);
  await inForce(w);
  const orders = await Promise.all(Array.from({ length: 6 }, () => w.shop.pay()));
  expect(orders.map((order) => order.at('payin_partner'))).toEqual(orders.map(() => 'simulator'));
  const audit = await w.sql<{ actor: string; object: string }>(
    "SELECT actor, object FROM payment.audit WHERE action = 'best_of rule stopped'",
  );
  expect(audit).toEqual([{ actor: 'florin', object: 'best' }]);
  // it stays stopped, and is said once
  await learn();
  const said = await w.sql("SELECT 1 FROM payment.audit WHERE action = 'best_of rule stopped'");
  expect(said.length).toBe(1);
  await letGoOn(w.service.tools, account, { rule: 'best', also: async () => undefined });
  await learn();
  expect((await readLearnt(w.service.tools, account)).rules[0]?.stopped).toBe(null);
  const twice = letGoOn(w.service.tools, account, { rule: 'best', also: async () => undefined });
  await expect(twice).rejects.toThrow('parameter');
});

test('an account without such a rule is not looked at, and stores nothing', async () => {
  await publish({ rules: [{ name: 'a', then: { order: ['simulator'] } }] });
  const order = await w.shop.pay();
  expect(await noteOf(textAt(order, 'order_id'))).toEqual({ v: 2, r: 0, o: [0], p: 10_000 });
  const [row] = await w.sql<{ n: string }>('SELECT count(*) AS n FROM public.learning_accounts()');
  expect(row?.n).toBe('0');
});
