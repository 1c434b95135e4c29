// R9: later tries in random histories, from a seed: orders that are declined, time out, are answered wrongly or late;
// several workers at once, each of which may die between its decision and the call; merchants who try again or stop at
// the same moment. Whatever comes: no second authorization while the one before is open or unknown, never more tries
// than the policy and the card's scheme allow, none after an end.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CAPS, limitsOn } from '../../src/core/retries/caps.ts';
import { makeLaterTries } from '../../src/payment/order/accept/later.ts';
import type { Tools } from '../../src/payment/tools.ts';
import { textAt, until } from '../client.ts';
import { type Random, seeded } from '../seeded.ts';
import { sizeOf } from '../sizes.ts';
import { type World, world } from '../world.ts';

vi.setConfig({ testTimeout: 300_000 });

const SEED = 20_261_126;
const ORDERS = sizeOf('FLORIN_RETRY_HISTORIES', { usual: 24, full: 200 });
const STEPS = 10;
const WORKERS = 4;
const CARDS = [
  '4000000000009995',
  '5300000000000105',
  '4000009908000048',
  '4000000000000119',
  '4000000000000002',
  '5300000000000204',
  '4000009901000029',
  '4000009901000011',
  '4000009901000086',
  '4000009901000078',
  '4000009901000128',
  '4000009901000136',
] as const;

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '1' });
});
afterAll(() => w[Symbol.asyncDispose]());

type Attempt = {
  readonly order_id: string;
  readonly n: number;
  readonly later: boolean;
  readonly at: Date;
  readonly state: string | null;
  readonly settled_at: Date | null;
};

const attempts = () =>
  w.sql<Attempt>(
    `SELECT encode(t.order_id, 'hex') AS order_id, t.attempt AS n, t.cascade_of IS NULL AND t.attempt > 1 AND p.request_id IS NULL AS later,
       t.created_at AS at, p.state, p.settled_at
     FROM payment.transactions t LEFT JOIN payment.operations p ON p.id = t.id ORDER BY t.order_id, t.attempt`,
  );
type Row = { order_id: string; state: string; ending: string | null; tries: number; ended_at: Date | null };
const rows = () =>
  w.sql<Row>(`SELECT encode(order_id, 'hex') AS order_id, state, ending, tries, ended_at FROM payment.retries`);

/** A worker of its own that dies, now and then, once its try is accepted and nothing was sent. */
function worker(random: Random): ReturnType<typeof makeLaterTries> {
  const { tools } = w.service;
  const crash: Tools['crash'] = {
    ...tools.crash,
    at: (point) => {
      if (point === 't1_committed' && random() < 0.3) throw new Error('the process died');
    },
  };
  return makeLaterTries({ ...tools, crash });
}

/** What waits is due now; so many days pass for the books of declines. */
async function pass(days: number): Promise<void> {
  // what was open when days passed before is noted anew at its own moment: one of both stays
  await w.sql(
    `DELETE FROM payment.declines a USING payment.declines b
     WHERE b.transaction_id = a.transaction_id AND b.card = a.card AND b.at > a.at`,
  );
  await w.sql(
    `UPDATE payment.declines SET at = at - make_interval(days => $1), not_before = not_before - make_interval(days => $1)`,
    [days],
  );
  await w.sql(`UPDATE payment.retries SET next_at = payment.now(), due_at = payment.now() WHERE state = 'waiting'`);
}

/** Nothing is open any more: recovery has proved or undone what was. */
const settled = () =>
  until(async () => {
    const open = await w.sql(
      `SELECT 1 FROM payment.operations WHERE state NOT IN ('successful', 'declined', 'not_sent') AND kind IN ('authorize', 'reversal')`,
    );
    if (open.length > 0) await w.shop.api('/sandbox/clock/advance', { body: { seconds: 90 } });
    return open.length === 0 || undefined;
  }, 120);

type Entry = { readonly kind: string; readonly state: string };

/** Orders of which more than one authorization stands at the bank, by its own books. */
async function twiceAtBank(ids: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of ids) {
    const answer = await w.shop.api(`/sandbox/provider/books?order_id=${id}`);
    const entries = answer.at('entries') as readonly Entry[];
    const standing = entries.filter(
      ({ kind, state }) => kind === 'authorize' && !['released', 'refunded', 'declined'].includes(state),
    );
    if (standing.length > 1) found.push(`${id}: ${standing.map(({ state }) => state).join(', ')}`);
  }
  return found;
}

const FINAL = new Set(['declined', 'not_sent']);

function findings(all: readonly Attempt[], retries: readonly Row[]): readonly string[] {
  const found: string[] = [];
  for (const order_id of new Set(all.map((one) => one.order_id))) {
    const own = all.filter((one) => one.order_id === order_id);
    own.slice(1).forEach((next, i) => {
      const before = own[i];
      const dead = before?.state === null || FINAL.has(before?.state ?? '');
      const proved = before?.state === null || (before?.settled_at ?? next.at) <= next.at;
      if (!dead || !proved) found.push(`${order_id}: try ${next.n} began while ${before?.n} was ${before?.state}`);
    });
    const row = retries.find((one) => one.order_id === order_id);
    const later = own.filter((one) => one.later);
    if (later.length > 4) found.push(`${order_id}: ${later.length} later tries`);
    if (later.length > (row?.tries ?? 0)) found.push(`${order_id}: ${later.length} tries, counted ${row?.tries}`);
    const ended = row?.ended_at;
    if (ended && later.some(({ at }) => at > ended)) found.push(`${order_id}: tried after its end, ${row.ending}`);
  }
  return found;
}

test('whatever comes, no try is begun that must not be', async () => {
  const random = seeded(SEED);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const tokens = new Map<string, string>();
  for (const card_number of CARDS)
    tokens.set(card_number, await w.shop.token({ card_number, token_type: 'recurring' }));
  const policy = { payment_channel: 'recurring', retry_policy: 'default' };
  const money = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR' };
  const ids: string[] = [];
  for (let n = 0; n < ORDERS; n++) {
    const token = tokens.get(pick(CARDS)) ?? '';
    const reply = await w.shop.order({ token, ...policy, ...money, order_merchant_id: `h-${n}` }, { prefer: 'wait=0' });
    ids.push(textAt(reply, 'order_id'));
  }
  const path = () => `/payment/order/${ids[Math.floor(random() * ids.length)] ?? ''}`;
  const workers = Array.from({ length: WORKERS }, () => worker(random));
  for (let step = 0; step < STEPS; step++) {
    await pass(Math.floor(random() * 4));
    const token = tokens.get(pick(CARDS)) ?? '';
    await Promise.all([
      ...workers.map((one) => one.look(20)),
      ...(random() < 0.4 ? [w.shop.api(path(), { method: 'PUT', body: { token } })] : []),
      ...(random() < 0.4 ? [w.shop.api(`${path()}/retry`, { method: 'DELETE' })] : []),
    ]);
    expect(findings(await attempts(), await rows())).toEqual([]);
    expect(await twiceAtBank(ids)).toEqual([]);
    // in doubt while the next step begins, now and then
    if (random() < 0.6) await settled();
  }
  await Promise.all(workers.map((one) => one.drain()));
  await settled();
  const all = await attempts();
  expect(findings(all, await rows())).toEqual([]);
  expect(await twiceAtBank(ids)).toEqual([]);
  expect(all.filter(({ later }) => later).length).toBeGreaterThan(ORDERS / 2);
  const over = await w.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM payment.declines WHERE scheme = 'visa' AND initiator = 'm' GROUP BY card, acceptor`,
  );
  const [most] = limitsOn(CAPS, '2026-11-26', 'visa');
  for (const { n } of over) expect(n).toBeLessThanOrEqual(most?.most ?? 0);
});

test('eight workers that see one due try make one', async () => {
  const token = await w.shop.token({ card_number: '4000000000000341', token_type: 'recurring' });
  const body = { token, payment_channel: 'recurring', retry_policy: 'default', operation_type: 'authorize' };
  const reply = await w.shop.order(
    { ...body, amount: '1.00', currency: 'EUR', order_merchant_id: 'eight' },
    { prefer: 'wait=10' },
  );
  const of = () =>
    w.sql<{ n: number }>(`SELECT count(*)::int AS n FROM payment.transactions WHERE order_id = decode($1, 'hex')`, [
      textAt(reply, 'order_id'),
    ]);
  await w.sql(`UPDATE payment.retries SET next_at = payment.now(), due_at = payment.now() WHERE state = 'waiting'`);
  // what a lease would keep apart is claimed by all of them
  const every: Tools['db'] = { ...w.service.tools.db, looks: { run: ofAll(textAt(reply, 'order_id')) } };
  const eight = Array.from({ length: 8 }, () => makeLaterTries({ ...w.service.tools, db: every }));
  await Promise.all(eight.map((one) => one.look(20)));
  await Promise.all(eight.map((one) => one.drain()));
  expect(await of()).toEqual([{ n: 2 }]);
});

test('a later try whose answer is still out goes on: it is looked at again, and not ended', async () => {
  const token = await w.shop.token({ card_number: '4000000000009995', token_type: 'recurring' });
  const body = { token, payment_channel: 'recurring', retry_policy: 'default', operation_type: 'authorize' };
  const money = { amount: '1.00', currency: 'EUR', order_merchant_id: 'still out' };
  const reply = await w.shop.order({ ...body, ...money }, { prefer: 'wait=10' });
  const order_id = textAt(reply, 'order_id');
  const stands = () =>
    w.sql(`SELECT state, ending, tries FROM payment.retries WHERE order_id = decode($1, 'hex')`, [order_id]);
  const makeDue = () =>
    w.sql(
      `UPDATE payment.retries SET next_at = payment.now(), due_at = payment.now() WHERE order_id = decode($1, 'hex')`,
      [order_id],
    );
  const fault = { operation: 'authorize', fault: 'timeout_taken', order_id };
  expect((await w.shop.api('/sandbox/scenario', { body: fault })).status).toBe(200);
  const one = makeLaterTries({ ...w.service.tools, db: { ...w.service.tools.db, looks: { run: ofAll(order_id) } } });
  await makeDue();
  await one.look(20);
  expect(await stands()).toEqual([{ state: 'running', ending: null, tries: 1 }]);
  await one.look(20);
  expect(await stands()).toEqual([{ state: 'running', ending: null, tries: 1 }]);
  await one.drain();
});

function ofAll(order_id: string): Tools['db']['looks']['run'] {
  const merchant_account_id = w.account;
  return async <R>() => [{ merchant_account_id, order_id }] as R[];
}
