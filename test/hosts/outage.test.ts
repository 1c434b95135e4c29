// The vault stopped, killed or frozen: what needs no card goes on, an order with a card answers 503 before anything was
// accepted or stays pending when it was, and afterwards everything settles: nothing is lost, nothing is done twice.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, HANGS_MS, type Reply, send, textAt, until } from '../client.ts';
import { rowsOf, sizeOf } from '../sizes.ts';
import { type World, worldOfProcesses } from '../world.ts';
import { type Processes, effectsOf } from './processes.ts';

// Hosts that start again and again take their time on a busy machine.

let w: World & { readonly service: Processes };
beforeAll(async () => {
  w = await worldOfProcesses();
});
afterAll(() => w[Symbol.asyncDispose]());

let count = 0;
const orderOf = (token: string) => ({
  operation_type: 'authorize',
  amount: '10.00',
  currency: 'EUR',
  token,
  order_merchant_id: `outage-${count++}`,
});

async function orders(): Promise<number> {
  const [row] = await w.sql<{ n: number }>('SELECT count(*)::int AS n FROM payment.orders');
  return row?.n ?? -1;
}

async function spent(): Promise<number> {
  const [row] = await w.sql<{ n: number }>('SELECT count(*)::int AS n FROM vault.cards WHERE spent_at IS NOT NULL');
  return row?.n ?? -1;
}

/** Checkouts and reads are answered as ever; an order with a card is refused at once, and leaves nothing behind. */
async function expectOutage(shop: Client, paid: string, tokens: readonly string[]): Promise<void> {
  const before = [await orders(), await spent()];
  const checkout_id = await shop.checkout();
  expect((await shop.api(`/payment/checkout/${checkout_id}`)).status).toBe(200);
  expect((await shop.read(paid)).at('status')).toBe('capture_successful');
  for (const host of [shop.addresses.base_url]) {
    expect((await send(`${host}/health`, {})).status).toBe(200);
    expect((await send(`${host}/ready`, {})).status).toBe(200);
  }
  for (const token of tokens) {
    const asked = performance.now();
    const reply = await shop.order(orderOf(token));
    expect([reply.status, reply.code]).toEqual([503, '111013']);
    expect(reply.headers.get('content-type')).toContain('application/problem+json');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(performance.now() - asked, 'nobody waits for ever').toBeLessThan(HANGS_MS);
  }
  expect([await orders(), await spent()]).toEqual(before);
}

describe('the vault', () => {
  const ENDS = [
    ['killed', 'SIGKILL'],
    ['stopped', 'SIGTERM'],
  ] as const;
  test.each(rowsOf(ENDS, 1))(
    '%s: orders with cards answer 503, the rest goes on, and the same tokens pay when it is back',
    async (_, how) => {
      const paid = textAt(await w.shop.pay(), 'order_id');
      const tokens = [await w.shop.token(), await w.shop.token()];
      const run = w.service.runs.get('vault');
      w.service.signal('vault', how);
      expect((await run?.ended)?.code).toBe(how === 'SIGTERM' ? 0 : null);
      await expectOutage(w.shop, paid, tokens);
      await w.service.start('vault');
      for (const token of tokens) {
        const reply = await w.shop.order(orderOf(token), { prefer: 'wait=10' });
        expect(reply.at('status')).toBe('authorization_successful');
        expect(await effectsOf(w.service, 'order_id', textAt(reply, 'order_id'))).toBe(1);
      }
    },
  );

  test('frozen: the same, although its port still takes connections', async () => {
    const paid = textAt(await w.shop.pay(), 'order_id');
    const tokens = [await w.shop.token(), await w.shop.token()];
    w.service.signal('vault', 'SIGSTOP');
    await expectOutage(w.shop, paid, tokens);
    w.service.signal('vault', 'SIGCONT');
    const reply = await until(async () => {
      const tried = await w.shop.order(orderOf(tokens[0] ?? ''), { prefer: 'wait=10' });
      return tried.status === 503 ? undefined : tried;
    });
    expect(reply.at('status')).toBe('authorization_successful');
  });
});

test('capture, refund and cancel need no vault: they go on while it is away', async () => {
  const [first, second] = [await w.shop.token(), await w.shop.token()];
  const pay = async (token: string) => textAt(await w.shop.order(orderOf(token), { prefer: 'wait=10' }), 'order_id');
  const [captured, cancelled] = [await pay(first), await pay(second)];
  const run = w.service.runs.get('vault');
  w.service.signal('vault', 'SIGKILL');
  await run?.ended;
  const ask = async (kind: string, order_id: string, body: object) => {
    const reply = await w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body });
    return [reply.status, reply.code];
  };
  expect(await ask('capture', captured, { amount: '5' })).toEqual([200, '955555']);
  expect(await ask('refund', captured, { amount: '2' })).toEqual([200, '966666']);
  expect(await ask('cancel', cancelled, {})).toEqual([200, '977777']);
  await w.service.start('vault');
});

/** Begins an order and comes back when its authorization has left the vault, to a bank that is frozen. */
async function underWay(): Promise<{ reply: Promise<Reply>; order_id: string }> {
  w.service.signal('simulator', 'SIGSTOP');
  const before = await orders();
  const reply = w.shop.order(orderOf(await w.shop.token()), { prefer: 'wait=2' });
  const order_id = await until(async () => {
    if ((await orders()) === before) return undefined;
    const [row] = await w.sql<{ id: string }>(
      `SELECT encode(o.id, 'hex') AS id FROM payment.orders o JOIN vault.forwards f ON f.order_id = o.id
       WHERE o.status = 'authorization_requested' AND f.state = 'sending'`,
    );
    return row?.id;
  });
  const port = Number(w.service.settings.simulator['FLORIN_SIMULATOR_PORT']);
  await until(async () => (unreadAt(port) > 0 ? true : undefined));
  return { reply, order_id };
}

/**
 * Bytes that have come to a port and that nobody has read; what is marked as being sent may still be on its way there.
 */
function unreadAt(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const ours = rows.map((row) => row.trim().split(/ +/)).filter(([, address = '']) => address.endsWith(local));
  // not of the port itself, where it counts connections
  return ours
    .filter(([, , , state]) => state === '01')
    .reduce((sum, [, , , , queues = '']) => sum + Number.parseInt(queues.split(':')[1] ?? '0', 16), 0);
}

describe('an authorization that has left', () => {
  test.each([
    ['is killed', 'SIGKILL'],
    ['is frozen', 'SIGSTOP'],
  ] as const)('stays pending while the vault %s, and is settled afterwards with one effect', async (_, how) => {
    const { reply, order_id } = await underWay();
    const run = w.service.runs.get('vault');
    w.service.signal('vault', how);
    if (how === 'SIGKILL') await run?.ended;
    w.service.signal('simulator', 'SIGCONT');
    expect([(await reply).status, (await reply).code]).toEqual([200, '421080']);
    expect((await w.shop.read(order_id)).at('status')).toBe('authorization_requested');
    if (how === 'SIGKILL') await w.service.start('vault');
    else w.service.signal('vault', 'SIGCONT');
    // who tried in vain meanwhile comes back after a lease: now it has run out
    await w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE order_id = decode($1, 'hex')`, [order_id]);
    const decided = await until(async () => {
      const read = await w.shop.read(order_id);
      return read.at('status') === 'authorization_requested' ? undefined : read;
    });
    expect(decided.at('status')).toBe('authorization_successful');
    expect(await effectsOf(w.service, 'order_id', order_id)).toBe(1);
  });
});

const KILLS = sizeOf('FLORIN_VAULT_KILLS', { usual: 1, full: 4 });

test('a vault that dies again and again under load: each order has one effect or none, and its status says which', async () => {
  const accepted: string[] = [];
  const refused: number[] = [];
  let going = true;
  const buyer = async () => {
    while (going) {
      const token = await w.shop.token().catch(() => undefined);
      if (token === undefined) {
        await until(async () => (await isUp()) || undefined);
        continue;
      }
      const reply = await w.shop.order(orderOf(token), { prefer: 'wait=1' });
      if (reply.status === 200) accepted.push(textAt(reply, 'order_id'));
      else refused.push(reply.status);
    }
  };
  const buyers = Promise.all(Array.from({ length: 6 }, buyer));
  try {
    for (let kills = 0; kills < KILLS; kills++) {
      const enough = accepted.length + 25;
      await Promise.race([buyers, until(() => accepted.length >= enough || undefined)]);
      const run = w.service.runs.get('vault');
      w.service.signal('vault', 'SIGKILL');
      await run?.ended;
      await w.service.start('vault');
    }
  } finally {
    going = false;
    await buyers;
  }
  expect(new Set(refused).size === 0 || refused.every((status) => status === 503), String(refused)).toBe(true);
  const [row] = await w.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM payment.orders WHERE order_merchant_id LIKE 'outage-%'`,
  );
  expect(row?.n).toBeGreaterThanOrEqual(accepted.length);
  const ends = { authorization_successful: 0, authorization_declined: 0, authorization_requested: 0 };
  for (const order_id of accepted) {
    const read = await until(() => settledOrProvedNothing(order_id));
    const status = textAt(read, 'status');
    const effects = await effectsOf(w.service, 'order_id', order_id);
    expect([order_id, status, effects]).toEqual([order_id, status, status === 'authorization_successful' ? 1 : 0]);
    if (status === 'authorization_successful') ends[status]++;
    else if (status === 'authorization_declined') ends[status]++;
    else ends.authorization_requested++;
  }
  expect(ends.authorization_successful).toBeGreaterThan(KILLS * 20);
});

function isUp(): Promise<boolean> {
  return send(`${w.service.addresses.vault_url}/health`, {}).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Decided, or in doubt with nothing at the bank: without proof that stays so until the engine reverses it. */
async function settledOrProvedNothing(order_id: string): Promise<Reply | undefined> {
  const read = await w.shop.read(order_id);
  if (read.at('status') !== 'authorization_requested') return read;
  return (await effectsOf(w.service, 'order_id', order_id)) === 0 && read.text.includes('"is_in_doubt":true')
    ? read
    : undefined;
}
