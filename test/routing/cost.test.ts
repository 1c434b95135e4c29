// What rules cost an order: forty of them, of which the last one draws, send the database the very statements that an
// account without any sends, in as many round trips.
import { serialize } from 'pg-protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FORTY_RULES } from '../../bench/rules.ts';
import { parseJson } from '../../src/core/json.ts';
import { draftRoutes, publishRoutes, rollBackRoutes } from '../../src/payment/routing/publish.ts';
import { textAt } from '../client.ts';
import { accountOf, inForce } from '../risk/till.ts';
import { type World, world } from '../world.ts';

const { bind } = serialize;
const sent: string[] = [];
let w: World;
let account: string;
beforeAll(async () => {
  w = await world();
  account = await accountOf(w);
  serialize.bind = (config) => {
    sent.push(config?.statement ?? '');
    return bind(config);
  };
});
afterAll(async () => {
  serialize.bind = bind;
  await w[Symbol.asyncDispose]();
});

/** Statements of an order with a checkout that its account, token and checkout brought about, by name, in no order. */
async function statements(): Promise<readonly string[]> {
  // from here on the process remembers account and key
  await w.shop.pay();
  const checkout_id = await w.shop.checkout();
  const token = await w.shop.token();
  const from = sent.length;
  const order = await w.shop.order({ token, checkout_id });
  expect(order.code).toBe('421080');
  await w.shop.decided(textAt(order, 'order_id'));
  return sent
    .slice(from)
    .filter((name) => OF_ORDERS.test(name) && !OF_WORKERS.test(name))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** Those of accepting, sending and settling. */
const OF_ORDERS = /accept|settle|insert|retry|lock|held|assess|route|begin|sent|step|note|card|decline/;
/** Of workers, which look every second whatever comes, and of the clock of a sandbox. */
const OF_WORKERS = /^claim_|_counts$|_clock$|_holds$|unwatched|unwell|_watches$/;

test('an order under forty rules sends what an order without rules sends', async () => {
  const without = await statements();
  expect(without.length).toBeGreaterThan(1);
  const { tools } = w.service;
  const { draft } = await draftRoutes(tools, account, parseJson(JSON.stringify(FORTY_RULES)));
  await publishRoutes(tools, account, { draft, by: 'ada' });
  await inForce(w);
  const under = await statements();
  const [row] = await w.sql<{ notes: number }>('SELECT count(route)::int AS notes FROM payment.transactions');
  expect(row?.notes).toBeGreaterThan(0);
  expect(under).toEqual(without);
  await rollBackRoutes(tools, account, { to: 0, by: 'ada' });
});
