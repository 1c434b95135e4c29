// Two versions of rules on live orders: who is in which group, what is counted, who decides, and that an end is an end.
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { noting } from '../../src/hosts/noting.ts';
import { groupOf } from '../../src/payment/routing/facts.ts';
import { readExperiments } from '../../src/payment/routing/learn/compared-view.ts';
import { replaceGroupCounts } from '../../src/payment/routing/learn/experiments-store.ts';
import { type Starting, endExperiment, startExperiment } from '../../src/payment/routing/learn/experiments.ts';
import { hourNow, learner } from '../../src/payment/routing/learn/learn.ts';
import { stateFees } from '../../src/payment/routing/fees.ts';
import { draftRoutes, publishRoutes } from '../../src/payment/routing/publish.ts';
import { tryRoutes } from '../../src/payment/routing/try.ts';
import { type Reply, textAt } from '../client.ts';
import { accountOf, inForce } from '../risk/till.ts';
import { type World, world } from '../world.ts';

let w: World;
let account: string;
beforeAll(async () => {
  w = await world();
  account = await accountOf(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const draftOf = async (document: object) =>
  (await draftRoutes(w.service.tools, account, parseJson(JSON.stringify(document)))).draft;
const toFirst = { rules: [{ name: 'first', then: { order: ['simulator'] } }] };
const toSecond = { rules: [{ name: 'second', then: { order: ['simulator_b'] } }] };
const publish = async (document: object) =>
  publishRoutes(w.service.tools, account, { draft: await draftOf(document), by: 'ada' });
const nothing = async () => undefined;
const start = (more: Partial<Starting> = {}) =>
  startExperiment(w.service.tools, account, {
    version_b: 1,
    share: 5000,
    subject: 'order',
    method: 'sequential',
    metric: 'approval',
    days: 7,
    by: 'ada',
    reason: 'a try',
    also: nothing,
    ...more,
  });
const end = (number: number) =>
  endExperiment(w.service.tools, account, { number, by: 'bob', reason: 'enough', also: nothing });
const learn = () => learner(w.service.tools, noting())();
const newest = async () => (await readExperiments(w.service.tools, account))[0];
type Note = { readonly v: number; readonly e?: readonly [number, 'a' | 'b'] };
async function noteOf(order: Reply, attempt = 1): Promise<Note | null> {
  const [row] = await w.sql<{ route: Note }>(
    `SELECT route FROM payment.transactions WHERE order_id = decode($1, 'hex') AND attempt = $2`,
    [textAt(order, 'order_id'), attempt],
  );
  return row?.route ?? null;
}

const KEY = createSecretKey(Buffer.alloc(32, 3));
const subject = (i: number) => ({
  merchant_account_id: '0a'.repeat(12),
  order_id: sha256(`order ${i}`).slice(0, 24),
  customer_id: `c-${i % 50}`,
  card_digest: null,
  attempt: 1,
});

test('groups have their share, do not depend on the attempt, and those of one experiment have nothing to do with another', () => {
  const of = (number: number, by: 'order' | 'customer' = 'order', share = 3000) => ({ number, subject: by, share });
  const orders = 5000;
  let [b, both] = [0, 0];
  for (let i = 0; i < orders; i++) {
    const group = groupOf(KEY, subject(i), of(1));
    if (groupOf(KEY, { ...subject(i), attempt: 4 }, of(1)) !== group) throw new Error('an order has two groups');
    if (group !== 'b') continue;
    b += 1;
    if (groupOf(KEY, subject(i), of(2)) === 'b') both += 1;
  }
  expect(Math.abs(b / orders - 0.3)).toBeLessThan(4 * Math.sqrt(0.21 / orders));
  expect(Math.abs(both / b - 0.3)).toBeLessThan(4 * Math.sqrt(0.21 / b));
  for (let i = 0; i < 50; i++)
    expect(groupOf(KEY, subject(i + 50), of(1, 'customer'))).toBe(groupOf(KEY, subject(i), of(1, 'customer')));
  // nobody who has no customer is left out: the order decides
  expect(groupOf(KEY, { ...subject(1), customer_id: null }, of(1, 'customer'))).toBe(groupOf(KEY, subject(1), of(1)));
});

test('while one runs each group goes by its version, attempts of an order stay together, and nothing is published', async () => {
  await expect(start()).rejects.toThrow('parameter');
  expect([await publish(toSecond), await publish(toFirst)]).toEqual([1, 2]);
  for (const wrong of [{ version_b: 2 }, { version_b: 9 }, { version_a: 1 }, { share: 10_000 }, { days: 91 }])
    await expect(start(wrong)).rejects.toThrow('parameter');
  // two versions are named: which one it is must be said
  const message = '9 is none of this account';
  await expect(start({ version_b: 9 })).rejects.toMatchObject({
    extras: { problems: [{ field: 'version', message }] },
  });
  expect(await start()).toBe(1);
  await expect(start()).rejects.toThrow('experiment 1 compares version 2 with 1');
  await expect(publish(toSecond)).rejects.toThrow('end it first');
  await inForce(w);
  const seen = new Set<string>();
  for (let i = 0; i < 24 && seen.size < 2; i++) {
    const order = await w.shop.pay();
    const note = await noteOf(order);
    const group = note?.e?.[1] ?? '';
    expect([group, note?.v, order.at('payin_partner')]).toEqual(
      group === 'a' ? ['a', 2, 'simulator'] : ['b', 1, 'simulator_b'],
    );
    const read = await w.shop.read(textAt(order, 'order_id'));
    expect(read.at('transactions.0.routing.experiment')).toEqual({ number: 1, group });
    seen.add(group);
  }
  expect(seen).toEqual(new Set(['a', 'b']));
  const declined = await w.shop.pay({ card_number: '4000000000009995' });
  await w.shop.api(`/payment/order/${textAt(declined, 'order_id')}`, {
    method: 'PUT',
    body: { token: await w.shop.token({ card_number: '4000000000009995' }) },
    headers: { prefer: 'wait=10' },
  });
  expect((await noteOf(declined, 2))?.e).toEqual((await noteOf(declined))?.e);
});

test('every order of a group that is decided is counted, also one that the payer could not pay; choices come out again', async () => {
  await learn();
  const [row] = await w.sql<{ orders: number; approved: number }>(
    `SELECT count(*)::int AS orders, (count(winner_id))::int AS approved FROM payment.orders o
     WHERE EXISTS (SELECT 1 FROM payment.transactions t WHERE t.order_id = o.id AND t.route ->> 'e' IS NOT NULL)`,
  );
  const { groups = [], missing } = (await newest()) ?? {};
  const sum = (of: 'decided' | 'approved') => groups.reduce((all, one) => all + one[of], 0);
  expect([sum('decided'), sum('approved')]).toEqual([row?.orders, row?.approved]);
  expect(sum('decided') - sum('approved')).toBe(1);
  expect(missing).toMatch(/^At least 100 decided orders are needed in each group; the smaller one has \d+\./);
  const trial = await tryRoutes(w.service.tools, account, { draft: await draftOf(toFirst) });
  expect([trial.defects, trial.tried_again]).toEqual([0, 0]);
});

test('an experiment that has ended sends no payment any more, and cannot be ended twice', async () => {
  await end(1);
  await inForce(w);
  const orders = await Promise.all(Array.from({ length: 8 }, () => w.shop.pay()));
  for (const order of orders) {
    expect(await noteOf(order)).toEqual({ v: 2, r: 0, o: [0], p: 10_000 });
    const read = await w.shop.read(textAt(order, 'order_id'));
    expect(read.at('transactions.0.routing.experiment')).toBe(null);
  }
  expect(await newest()).toMatchObject({ number: 1, ended_by: 'bob', end_reason: 'enough', missing: '' });
  await expect(end(1)).rejects.toThrow('parameter');
  expect(await publish(toFirst)).toBe(3);
});

/** As if hours before had brought so many. */
type Counts = readonly [approved: number, decided: number, kept?: number];
const counted = (number: number, a: Counts, b: Counts) => {
  const hour = hourNow(w.service.tools) - 100;
  const of = ([approved, decided, kept]: Counts) => ({ hour, approved, decided, kept: kept ?? null });
  return replaceGroupCounts(w.service.tools.db.tenant(account), { number, hour }, [
    { arm: 'a', ...of(a) },
    { arm: 'b', ...of(b) },
  ]);
};
const audited = async () =>
  (
    await w.sql<{ said: string }>(
      `SELECT action || ' ' || actor || ' ' || coalesce(reason, '') AS said FROM payment.audit
     WHERE action LIKE 'experiment%' ORDER BY seq`,
    )
  ).map(({ said }) => said);

test('the guard ends the one whose other version does worse, and says so; a verdict of the better one is kept and goes on', async () => {
  const worse = await start();
  await counted(worse, [1800, 2000], [1600, 2000]);
  await learn();
  expect(await newest()).toMatchObject({ number: worse, verdict: 'a', ended_by: 'florin' });
  await inForce(w);
  expect((await noteOf(await w.shop.pay()))?.e).toBe(undefined);
  const better = await start();
  await counted(better, [1600, 2000], [1800, 2000]);
  await learn();
  expect(await newest()).toMatchObject({ number: better, verdict: 'b', ended_at: null, missing: '' });
  await learn();
  expect(await audited()).toEqual([
    expect.stringMatching(
      /^experiment ended florin 10 points fewer approved than in the control group since it began$/,
    ),
    'experiment decided florin ',
  ]);
  await end(better);
});

test('an experiment with a fixed end says nothing before it, however clear it looks, and ends by itself', async () => {
  const number = await start({ method: 'fixed' });
  await counted(number, [1600, 2000], [1800, 2000]);
  await learn();
  expect(await newest()).toMatchObject({
    verdict: null,
    ended_at: null,
    missing: expect.stringMatching(/^It is decided once/),
  });
  await w.sql('UPDATE payment.experiments SET ends_at = started_at WHERE number = $1', [number]);
  await learn();
  expect(await newest()).toMatchObject({ verdict: 'b', ended_by: 'florin', end_reason: 'its days are over' });
});

test('an experiment by value is refused without the fees of each contract, and compares what is left of each paid order', async () => {
  const refused = await start({ metric: 'value' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    extras: {
      problems: ['simulator', 'simulator_b'].map((name) => ({ field: 'metric', message: `needs the fees of ${name}` })),
    },
  });
  const state = (contract: string, fees: object) =>
    stateFees(w.service.tools, account, {
      contract,
      written: parseJson(JSON.stringify(fees)),
      by: 'ada',
      note: null,
      also: nothing,
    });
  await state('simulator', [{ percent: '4' }]);
  await state('simulator_b', [{ currency: 'EUR', percent: '1' }]);
  const number = await start({ metric: 'value' });
  await inForce(w);
  const orders = await Promise.all(Array.from({ length: 12 }, () => w.shop.pay()));
  const declined = await w.shop.pay({ card_number: '4000000000009995' });
  await learn();
  const told = await newest();
  expect(told).toMatchObject({ number, metric: 'value' });
  for (const { group, decided, approved, left } of told?.groups ?? []) {
    const own = await Promise.all(
      [...orders, declined].map(async (order) => ((await noteOf(order))?.e?.[1] === group ? order : undefined)),
    );
    expect(decided).toBe(own.filter((one) => one !== undefined).length);
    const kept = group === 'a' ? 0.96 : 0.99;
    if (decided > 0) expect(left).toBeCloseTo((approved / decided) * kept, 9);
  }

  // fewer approvals that cost less: by approval the other version would be stopped, by value it is better
  await counted(number, [1800, 2000, 1728], [1760, 2000, 1742.4]);
  await learn();
  expect(await newest()).toMatchObject({ verdict: null, ended_at: null });
  await counted(number, [18_000, 20_000, 16_200], [17_800, 20_000, 17_622]);
  await learn();
  expect(await newest()).toMatchObject({ verdict: 'b', ended_at: null });
  await end(number);

  // of one paid order no fee is known: nothing is decided, and what is missing is said
  const unknown = await start({ metric: 'value' });
  await counted(unknown, [1800, 2000, 1728], [1600, 2000]);
  await learn();
  expect(await newest()).toMatchObject({
    verdict: null,
    ended_at: null,
    difference: null,
    missing: expect.stringMatching(/^Fees are not stated for some payments/),
  });
  await end(unknown);
});
