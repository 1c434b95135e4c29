// The commands of a sandbox as somebody runs them beside a running service: what they print, and how they end.
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { orderCommand, ownerOf } from '../../src/commands/order/order.ts';
import { callsOf, doubtOf } from '../../src/commands/order/plan.ts';
import { compared } from '../../src/commands/order/replay.ts';
import { cardsCommand } from '../../src/commands/sandbox/cards.ts';
import { clockCommand, secondsOf } from '../../src/commands/sandbox/clock.ts';
import { scenarioCommand } from '../../src/commands/sandbox/scenario.ts';
import { triggerCommand } from '../../src/commands/sandbox/trigger.ts';
import { HelpWanted, StartError } from '../../src/kit/start-error.ts';
import { readConfig } from '../../src/settings/config.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { TRIGGERS } from '../../src/commands/sandbox/events.ts';
import { merchantAt } from '../../src/commands/sandbox/session.ts';
import { textAt } from '../client.ts';
import { numberOf } from '../providers/client.ts';
import { type World, world } from '../world.ts';

// A replay starts a database and a service of its own.
let w: World;
beforeAll(async () => {
  w = await world();
  const { socket_dir, user } = inject('server');
  const settings = {
    FLORIN_BASE_URL: w.service.addresses.base_url,
    FLORIN_VAULT_URL: w.service.addresses.vault_url,
    FLORIN_DATA_DIR: w.data_dir,
    FLORIN_DATABASE_URL: `postgres://${user}@/${w.database}?host=${encodeURIComponent(socket_dir)}`,
    FLORIN_DATABASE_DURABLE: 'unchecked',
    FLORIN_LOG_LEVEL: 'silent',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  // of the run that this is part of, and no setting
  vi.stubEnv('FLORIN_TEST_FULL', undefined);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await w[Symbol.asyncDispose]();
});

type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** What src/main.ts calls, in this process: a start of its own each would take longer than all they do. */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  clock: clockCommand,
  scenario: scenarioCommand,
  cards: cardsCommand,
  trigger: triggerCommand,
  order: (args) => orderCommand(args, '0.0.0'),
};

async function florin(name: string, ...args: readonly string[]): Promise<Ended> {
  const lines: string[] = [];
  const says = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const hints = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    await COMMANDS[name]?.(args);
    return { code: Number(process.exitCode ?? 0), out: lines.join('\n'), err: '' };
  } catch (error) {
    if (error instanceof HelpWanted) return { code: 0, out: error.message, err: '' };
    if (!(error instanceof StartError)) throw error;
    return { code: 1, out: lines.join('\n'), err: error.message };
  } finally {
    process.exitCode = undefined;
    says.mockRestore();
    hints.mockRestore();
  }
}

test('the clock is shown and moved, and what is no span or time is refused with a word about it', async () => {
  const shown = await florin('clock');
  expect([shown.code, shown.out], shown.err).toEqual([0, expect.stringContaining('the real time')]);
  const moved = await florin('clock', 'advance', '1d12h');
  expect([moved.code, moved.out], moved.err).toEqual([0, expect.stringContaining('36 h ahead of the real time')]);
  expect(secondsOf('1w2d3h4m5s')).toBe(7 * 86_400 + 2 * 86_400 + 3 * 3600 + 245);
  for (const span of ['', '3', 'd3', '3 d', '0s', '1y']) expect(() => secondsOf(span), span).toThrow('is no span');
  const past = await florin('clock', 'to', '2020-01-01');
  expect([past.code, past.err]).toEqual([1, expect.stringContaining('to must be later than now')]);
});

test('a scenario is armed, listed and removed', async () => {
  const armed = await florin('scenario', 'arm', 'capture', 'timeout_taken', '--times', '2', '--reference', 'cart-7');
  expect([armed.code, armed.out], armed.err).toEqual([
    0,
    expect.stringMatching(/capture +timeout_taken +2 of 2 +order_merchant_id cart-7/),
  ]);
  const wrong = await florin('scenario', 'arm', 'capture', 'rain');
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('fault')]);
  expect((await florin('scenario', 'clear')).out).toContain('Nothing is armed.');
});

test('cards are found by words, and any code has its number', async () => {
  const lost = await florin('cards', 'lost', 'answer');
  expect(lost.out).toContain('4000009902000028');
  expect(lost.out).not.toContain('4242424242424242');
  expect((await florin('cards', '420100')).out).toContain(numberOf('420100'));
  expect((await florin('cards', 'bank', '341000')).out).toMatch(/^1111 .*not authenticated +341000/m);
});

test('every command says how it is used, and refuses what it does not know', async () => {
  const runs = [await florin('trigger', '--help'), await florin('order', 'show'), await florin('clock', '--fast')];
  expect(runs.map(({ code }) => code)).toEqual([0, 1, 1]);
  expect(runs[0]?.out).toContain('Usage: florin trigger EVENT');
  expect(runs[1]?.err).toContain('--replay');
  expect(runs[2]?.err).toMatch(/Unknown option '--fast'[\s\S]*--key KEY/);
  const unknown = await florin('trigger', 'rain');
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringMatching(/no event rain[\s\S]*dispute\.opened/)]);
});

test('in production --account says whose order or log it is: a live key does not belong on a command line', async () => {
  const session = { config: { ...readConfig(), environment: 'production' as const }, tools: w.service.tools };
  for (const key of [undefined, w.keys.private_key])
    await expect(ownerOf(session, key)).rejects.toThrow(
      /^There is no demo account in production: --account says whose/,
    );
});

test('every event that can be triggered happens', async () => {
  const merchant = merchantAt(w.service.addresses, w.keys.private_key);
  const wrong: string[] = [];
  // those that move the clock first: what others leave undecided is asked for all the way
  const rows = Object.entries(TRIGGERS).toSorted(
    ([, a], [, b]) => Number(b.says.includes('moves')) - Number(a.says.includes('moves')),
  );
  for (const [event, { run, status }] of rows) {
    const made = await run(merchant);
    const path = `/payment/${made.what === 'customer' ? 'information' : made.what}/${made.id}`;
    const reply = await w.shop.api(path);
    const stands = made.what === 'checkout' ? reply.at('checkout.status') : reply.at('status');
    if (status !== undefined && stands !== status) wrong.push(`${event}: ${JSON.stringify(stands)}`);
  }
  expect(wrong).toEqual([]);
});

test('a key that is not known here is told as such, with what to do', async () => {
  const run = await florin('clock', '--key', `FL_PR_s${'0'.repeat(50)}`);
  expect([run.code, run.err]).toEqual([1, expect.stringContaining('give the right one with --key')]);
});

test('trigger names the order and what to do next; the order is shown with all that happened', async () => {
  const declined = await florin('trigger', 'refund_declined');
  expect(declined.code, declined.err).toBe(0);
  const id = /order +([0-9a-f]{24})\nstatus +refund_declined \(621288\)/.exec(declined.out)?.[1] ?? '';
  expect(declined.out).toContain(`florin order show ${id}`);
  const shown = await florin('order', 'show', id);
  expect(shown.code, shown.err).toBe(0);
  for (const part of [
    'authorize and capture 42.5 EUR at simulator',
    '→ capture_successful',
    'answers: refund declined',
    '621288',
  ])
    expect(shown.out).toContain(part);
  const json: { moments: { at: string; what: string }[] } = JSON.parse(
    (await florin('order', 'show', id, '--json')).out,
  );
  const times = json.moments.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  const other = await florin('order', 'show', 'f'.repeat(24));
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('has no order')]);
});

// a whole Florin is made and started for it
test('an order played again in a fresh sandbox comes out the same', { timeout: 300_000 }, async () => {
  const held = await w.shop.pay({ card_number: '4000000000007726' }, { operation_type: 'authorize' });
  const order_id = textAt(held, 'order_id');
  const headers = { prefer: 'wait=0' };
  await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: { amount: '10.00' } });
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 86_400 } });
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '4.00' }, headers });
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 7200 } });
  const same = await florin('order', 'show', order_id, '--replay');
  expect([same.code, same.out], same.err).toEqual([0, expect.stringContaining('It came out the same.')]);
  expect(same.out).toMatch(/capture_successful 955555[\s\S]*refund_successful 966666/);
});

test('for an order that was tried again the command says what is not stored, and nothing of one card goes with another', async () => {
  const outside = { eci: '05', cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', pares_status: 'Y', version: '2.2.0' };
  const declined = await w.shop.pay({ card_number: '4000000000000341' });
  const order_id = textAt(declined, 'order_id');
  const db = w.service.tools.db.tenant(w.account);
  const found = async () => {
    const order = await findOrder(db, order_id);
    if (!order) throw new Error('an order that was paid is there');
    return order;
  };
  expect(doubtOf(await found())).toBeUndefined();
  const body = { token: await w.shop.token(), '3ds_data': outside };
  await w.shop.api(`/payment/order/${order_id}`, { method: 'PUT', body, headers: { prefer: 'wait=10' } });
  const order = await found();
  expect(doubtOf(order)).toContain('keeps the fields of its last attempt only');
  const [first, retry] = callsOf(order, undefined);
  expect([first?.kind, first?.body['3ds_data'], retry]).toMatchObject([
    'order',
    undefined,
    { kind: 'retry', body: { '3ds_data': outside } },
  ]);
});

test('a replay that came out differently is shown line by line', async () => {
  const db = w.service.tools.db.tenant(w.account);
  const paid = async (card_number: string) => {
    const order = await findOrder(db, textAt(await w.shop.pay({ card_number }), 'order_id'));
    if (!order) throw new Error('an order that was paid is there');
    return order;
  };
  const [approved, declined] = [await paid('4242424242424242'), await paid('4000000000009995')];
  expect(compared(approved, approved).differences).toBe(0);
  const { differences, text } = compared(approved, declined);
  expect(differences).toBe(5);
  expect(text).toMatch(/≠ +authorization_successful 944444 +authorization_declined 420100\n/);
});
