// The clock of the database's machine is set forward by an hour while a call is on its way: that hour has not passed,
// and what the provider does not know yet may still arrive.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { REMEMBERED_MS } from '../../src/kit/clock.ts';
import { lookAtClock } from '../../src/payment/order/engine/recovery/waits.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
let looks: World['service']['tools']['db']['looks'];
beforeAll(async () => {
  // longer than this test takes on a slow machine: what is on its way may arrive all the time
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '100' });
  looks = w.service.tools.db.looks;
});
afterAll(() => w[Symbol.asyncDispose]());
afterEach(() => setForward(0));

/** As all statements see it that ask for the time. */
async function setForward(hours: number): Promise<void> {
  const { db } = w.service.tools;
  const run: typeof looks.run = async (name, text, parameters) => {
    const rows = await looks.run<{ now_ms: number }>(name, text, parameters);
    const ahead_ms = name === 'read_machine_clock' ? hours * 3_600_000 : 0;
    return rows.map((row) => (ahead_ms === 0 ? row : { ...row, now_ms: row.now_ms + ahead_ms })) as never;
  };
  await w.sql(`
    CREATE OR REPLACE FUNCTION payment.now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    DECLARE moved_by interval;
    BEGIN
      SELECT shift INTO moved_by FROM payment.clock;
      RETURN clock_timestamp() + moved_by + interval '${hours} hours';
    END $$`);
  // last, as what sees the step asks for the time that the statements see
  Object.assign(db, { looks: { run } });
}

type Call = { readonly step: string };
type Sender<C, A> = (call: C) => Promise<A>;

/** The next call of this step gets no answer, and reaches the provider when it is let go. */
function holding<C extends Call, A>(step: string, send: Sender<C, A>, answer: A) {
  const held = Promise.withResolvers<() => Promise<A>>();
  let is_held = false;
  const hold: Sender<C, A> = async (call) => {
    if (call.step !== step || is_held) return send(call);
    is_held = true;
    held.resolve(() => send(call));
    return answer;
  };
  return { hold, held: held.promise };
}

const NO_ANSWER = { outcome: 'unknown', reason: 'timeout' } as const;

/** What is open of the order is due. False: nothing is open. */
async function makeDue(order_id: string): Promise<boolean> {
  const open = await w.sql(
    `UPDATE payment.operations SET due_at = least(due_at, payment.now() + interval '0.2 seconds')
     WHERE order_id = decode($1, 'hex') AND state IN ('requested', 'in_doubt')
     RETURNING 1`,
    [order_id],
  );
  w.service.tools.wake_up.wake();
  return open.length > 0;
}

/** The worker takes up what is open of the order, again and again, while something is. */
async function takenUp(order_id: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const before = await triesOf(order_id);
    // again, as one that was at work before may write a later moment
    await until(async () => (!(await makeDue(order_id)) || (await triesOf(order_id)) > before ? true : undefined));
    await idle(order_id);
  }
}

const untilStatus = (order_id: string, status: string) =>
  until(async () => {
    await makeDue(order_id);
    return (await w.shop.read(order_id)).at('status') === status || undefined;
  });

async function triesOf(order_id: string): Promise<number> {
  const [row] = await w.sql<{ tries: number }>(
    `SELECT sum(tries)::int AS tries FROM payment.operations WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  return row?.tries ?? 0;
}

/** What the bank did, and how often. */
async function doneAtBank(order_id: string): Promise<readonly string[]> {
  const bank = await w.service.tools.sandbox?.({ method: 'GET', path: `/books?order_id=${order_id}` });
  const entries = (bank?.body['entries'] ?? []) as readonly { kind: string; state: string; effects: number }[];
  return entries.map(({ kind, state, effects }) => `${kind} ${state} ${effects}`);
}

const idle = (order_id: string) => until(() => w.service.tools.running.find(order_id) === undefined || undefined);

test('a refund that is on its way is not made once more', async () => {
  const { tools } = w.service;
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'direct_capture' }), 'order_id');
  await w.shop.decided(order_id);
  const { direct } = tools;
  const way = holding('refund', direct, NO_ANSWER);
  Object.assign(tools, { direct: way.hold });
  const body = { amount: '5.00' };
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body, headers: { prefer: 'wait=0' } });
  const letGo = await way.held;
  await idle(order_id);
  await setForward(1);
  await takenUp(order_id, 3);
  await letGo();
  Object.assign(tools, { direct });
  await untilStatus(order_id, 'refund_successful');
  expect(await doneAtBank(order_id)).toContain('refund refunded 1');
});

test('an authorization that is on its way is not given up', async () => {
  const { tools } = w.service;
  const { vault } = tools;
  const way = holding('authorize', (call: Parameters<typeof vault.forward>[0]) => vault.forward(call), NO_ANSWER);
  const order = { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id: 'forward-1' };
  const token = await w.shop.token();
  // the vault has sent it, and its database is on the same machine
  const tombstone: typeof vault.tombstone = async () => ({ sent: true, sent_s: 3600 });
  Object.assign(tools, { vault: { ...vault, forward: way.hold, tombstone } });
  const order_id = textAt(await w.shop.order({ token, ...order }, { prefer: 'wait=0' }), 'order_id');
  const letGo = await way.held;
  await idle(order_id);
  await setForward(1);
  await takenUp(order_id, 3);
  await letGo();
  Object.assign(tools, { vault });
  await untilStatus(order_id, 'authorization_successful');
  expect(await doneAtBank(order_id)).toEqual(['authorize held 1']);
});

test('what waits when the clock is set back by an hour waits no hour longer', async () => {
  const { tools } = w.service;
  // the steps of the tests above are done with
  await lookAtClock(tools);
  await until(async () => tools.database_clock.setBack_ms() === 0 || undefined);
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'direct_capture' }), 'order_id');
  await w.shop.decided(order_id);
  const { direct } = tools;
  let is_away = true;
  // the refund is made, and until the clock is set back nobody hears so
  const deaf: typeof direct = async (call) => {
    const answer = await direct(call);
    return is_away ? NO_ANSWER : answer;
  };
  Object.assign(tools, { direct: deaf });
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, {
    body: { amount: '5.00' },
    headers: { prefer: 'wait=0' },
  });
  await until(async () => (await triesOf(order_id)) > 1 || undefined);
  await w.sql(`UPDATE payment.providers SET health = 'open', next_probe_at = payment.now() + interval '5 seconds'`);
  await setForward(-1);
  is_away = false;
  await until(async () => (await w.shop.read(order_id)).at('status') === 'refund_successful' || undefined);
  Object.assign(tools, { direct });
  expect(await doneAtBank(order_id)).toContain('refund refunded 1');
});

test('what was set forward is remembered for longer than a call can be on its way to any provider', () => {
  for (const { can } of w.service.tools.providers.values()) expect(can.in_flight_s * 1000).toBeLessThan(REMEMBERED_MS);
});
