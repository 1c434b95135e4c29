// An authorization that lay in the socket of a vault that stood still is sent when the vault goes on, long after it was
// accepted. What the provider does not know of it at that moment proves nothing: the call is on its way.
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer, request as ask } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { startSimulator, type Simulator } from '../../src/sandbox/simulator.ts';
import type { Forward, Forwarded } from '../../src/payment/vault-link.ts';
import { looked } from '../conformance/interrupt.ts';
import { textAt, until } from '../client.ts';
import { holdRecovery } from '../undecided.ts';
import { type World, world } from '../world.ts';

/** Longer than the provider's in-flight time. */
const FROZEN_S = 3600;

let bank: Simulator;
let road: Road;
let w: World;
beforeAll(async () => {
  bank = await startSimulator({ host: '127.0.0.1', port: 0, journal_file: null, now: () => Date.now() });
  road = await openRoad(bank.port);
  // longer than this test takes on a slow machine: what is on its way may arrive all the time
  w = await world({ FLORIN_SIMULATOR_URL: `http://127.0.0.1:${road.port}`, FLORIN_SIMULATOR_DEADLINE_S: '100' });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  road.server.close();
  await bank.close();
});

type Road = { readonly port: number; readonly server: Server; block(): Blocked };
type Blocked = { readonly reached: Promise<void>; letGo(): void };

/** The way to the bank, on which new payments can be held up. */
async function openRoad(to: number): Promise<Road> {
  let held: { readonly reached: () => void; readonly gate: Promise<void> } | undefined;
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url: path, headers } = request;
    const here = path?.endsWith('/payments') ? held : undefined;
    here?.reached();
    await here?.gate;
    const onwards = ask({ host: '127.0.0.1', port: to, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    request.pipe(onwards);
  };
  const server = createServer((request, response) => void pass(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = listeningPort(server);
  const block = (): Blocked => {
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    held = { reached: reached.resolve, gate: gate.promise };
    const letGo = () => {
      held = undefined;
      gate.resolve();
    };
    return { reached: reached.promise, letGo };
  };
  return { port, server, block };
}

/** The next forward gets no answer; it is sent when the vault goes on. */
function frozenVault(): { readonly asked: Promise<void>; goesOn(): Promise<Forwarded> } {
  const { tools } = w.service;
  const { vault } = tools;
  const asked = Promise.withResolvers<Forward>();
  const forward: typeof vault.forward = async (one) => {
    Object.assign(tools, { vault });
    asked.resolve(one);
    return { outcome: 'unknown', reason: 'timeout' };
  };
  Object.assign(tools, { vault: { ...vault, forward } });
  return { asked: asked.promise.then(() => undefined), goesOn: async () => vault.forward(await asked.promise) };
}

let count = 0;
let letGo: () => Promise<void>;

type Sent = { readonly order_id: string; readonly way: Blocked; readonly sent: Promise<Forwarded> };

/** An order that was accepted long ago, and whose authorization is on its way to the bank only now. */
async function sentLate(): Promise<Sent> {
  const frozen = frozenVault();
  const token = await w.shop.token();
  letGo = await holdRecovery(w);
  const order = { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id: `late-${++count}` };
  const order_id = textAt(await w.shop.order({ token, ...order }, { prefer: 'wait=0' }), 'order_id');
  await frozen.asked;
  await until(() => w.service.tools.running.find(order_id) === undefined || undefined);
  await w.sql(
    `UPDATE payment.operations SET created_at = created_at - make_interval(secs => $2) WHERE order_id = decode($1, 'hex')`,
    [order_id, FROZEN_S],
  );
  const way = road.block();
  const sent = frozen.goesOn();
  await way.reached;
  return { order_id, way, sent };
}

async function dueAgain(order_id: string): Promise<void> {
  await letGo();
  await w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE order_id = decode($1, 'hex')`, [order_id]);
}

async function statesOf(order_id: string): Promise<readonly string[]> {
  const rows = await w.sql<{ state: string }>(
    `SELECT kind || ' ' || state AS state FROM payment.operations WHERE order_id = decode($1, 'hex') ORDER BY id`,
    [order_id],
  );
  return rows.map(({ state }) => state);
}

async function statesAtBank(order_id: string): Promise<readonly string[]> {
  const answer = await fetch(`http://127.0.0.1:${bank.port}/books?order_id=${order_id}`);
  const { entries } = (await answer.json()) as { entries: readonly { kind: string; state: string }[] };
  return entries.map(({ kind, state }) => `${kind} ${state}`);
}

/** As all statements of the vault see it that ask for the time. */
async function setVaultForward(hours: number): Promise<void> {
  await w.sql(`
    CREATE OR REPLACE FUNCTION vault.now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    DECLARE moved_by interval;
    BEGIN
      SELECT shift INTO moved_by FROM vault.clock;
      RETURN clock_timestamp() + moved_by + interval '${hours} hours';
    END $$`);
}
afterEach(() => setVaultForward(0));

test.each([
  ['it stays', 0],
  ["the clock of the vault's database is set forward by an hour that has not passed: it stays", 1],
])('%s in doubt while its call is on its way, and is approved by the answer', async (_, hours) => {
  const { order_id, way, sent } = await sentLate();
  await setVaultForward(hours);
  for (let times = 0; times < 3; times++) await looked(w, order_id);
  const meanwhile = await statesOf(order_id);
  way.letGo();
  expect((await sent).outcome).toBe('answered');
  await dueAgain(order_id);
  const read = await w.shop.decided(order_id);
  expect([meanwhile, read.at('status'), await statesAtBank(order_id)]).toEqual([
    ['authorize in_doubt'],
    'authorization_successful',
    ['authorize held'],
  ]);
});

test('where it is cancelled meanwhile, it is not said to be undone before that is so', async () => {
  const { order_id, way, sent } = await sentLate();
  const cancel = await w.shop.api(`/payment/maintenance/cancel/${order_id}`, {
    method: 'POST',
    headers: { prefer: 'wait=0' },
  });
  expect(cancel.at('status'), cancel.text).toBe('authorization_cancel_requested');
  for (let times = 0; times < 3; times++) await looked(w, order_id);
  expect(await statesOf(order_id)).toEqual(['authorize reversing', 'cancel requested', 'reversal in_doubt']);
  way.letGo();
  expect((await sent).outcome).toBe('answered');
  await dueAgain(order_id);
  // once nothing more can arrive
  await until(async () => {
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 60 } });
    return (await w.shop.read(order_id)).at('status') === 'authorization_cancelled' || undefined;
  });
  expect(await statesAtBank(order_id)).toEqual(['authorize released', 'reversal released']);
});
