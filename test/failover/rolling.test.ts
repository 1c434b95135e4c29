// Payment hosts are restarted one after the other under load, behind a proxy, and no request fails. Fifty times:
// `npm run rolling`.
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Client, type Reply, send, textAt, until } from '../client.ts';
import type { Processes } from '../hosts/processes.ts';
import { sizeOf } from '../sizes.ts';
import { ownPort } from '../ports.ts';
import { type Run, type Settings, runFlorin } from '../start/child.ts';
import { gone, kill, livingOf, treeOf } from '../start/processes.ts';
import { type World, worldOfProcesses } from '../world.ts';
import { type Balancer, startBalancer } from './balancer.ts';

const RESTARTS = sizeOf('FLORIN_TEST_RESTARTS', { usual: 4, full: 50 });
const MERCHANTS = 8;
/** Wrong keys of one address in a minute. */
const LIMIT = 300;
const AT_ONCE = 50;
vi.setConfig({ testTimeout: 60_000 + RESTARTS * 30_000, hookTimeout: 120_000 });

let w: World & { readonly service: Processes };
let hosts: readonly PaymentHost[];
let balancer: Balancer;
beforeAll(async () => {
  w = await worldOfProcesses({ FLORIN_STOP_PAUSE_MS: '2000', FLORIN_FAILED_KEYS_PER_MINUTE: String(LIMIT) });
  const folder = `${w.data_dir}/second`;
  mkdirSync(folder);
  const { payment } = w.service.settings;
  // keys and demo account are in the folder that both share
  const second = {
    ...payment,
    FLORIN_API_PORT: String(await ownPort()),
    FLORIN_BACKOFFICE_PORT: String(await ownPort()),
    FLORIN_PAYMENT_LINK_PORT: String(await ownPort()),
  };
  hosts = [new PaymentHost(folder, second), new PaymentHost(`${w.data_dir}/payment`, payment)];
  const first = w.service.runs.get('payment');
  w.service.signal('payment', 'SIGTERM');
  await first?.ended;
  balancer = await startBalancer(hosts.map(({ port }) => port));
  for (const host of hosts) host.start();
  for (const host of hosts) await until(() => balancer.isReady(host.port) || undefined, 60);
});
afterAll(async () => {
  await balancer[Symbol.asyncDispose]();
  for (const host of hosts) await host.end();
  await w[Symbol.asyncDispose]();
});

class PaymentHost {
  readonly port: number;
  private readonly folder: string;
  private readonly settings: Settings;
  private run: Run | undefined;

  constructor(folder: string, settings: Settings) {
    this.folder = folder;
    this.settings = settings;
    this.port = Number(settings['FLORIN_API_PORT']);
  }

  start(): void {
    this.run = runFlorin({ cwd: this.folder, settings: this.settings, command: ['payment'] });
  }

  /** Answers what it said of itself while it still answered, and how it ended. */
  async stop(): Promise<{ readonly said: unknown; readonly code: number | null | undefined }> {
    this.run?.child.kill('SIGTERM');
    const said = await until(async () => {
      const { status, body } = await send(`http://127.0.0.1:${this.port}/ready`, {});
      return status === 503 && JSON.stringify(body).includes('stopping') ? body : undefined;
    });
    return { said, code: (await this.run?.ended)?.code };
  }

  async end(): Promise<void> {
    const tree = treeOf(this.run?.child.pid ?? 0);
    this.run?.child.kill('SIGTERM');
    await gone(tree).finally(() => kill(livingOf(tree), 'SIGKILL'));
  }
}

/** Pays and reads until it is told to end; answers what failed. */
async function trade(client: Client, merchant: number, ended: () => boolean): Promise<readonly string[]> {
  const failed: string[] = [];
  const hear = (what: string, { status, text }: Reply) => {
    if (status >= 300) failed.push(`${what}: ${status} ${text.slice(0, 200)}`);
  };
  for (let i = 0; !ended(); i++) {
    const checkout = await client.api('/payment/checkout', {
      body: {
        type: 'api',
        operation_type: 'authorize',
        amount: '5.00',
        currency: 'EUR',
        order_merchant_id: `${merchant}-${i}`,
      },
    });
    hear('checkout', checkout);
    const token = await client.token();
    const order = await client.order({ token, checkout_id: checkout.at('checkout.checkout_id') });
    hear('order', order);
    if (order.status < 300) hear('read', await client.read(textAt(order, 'order_id')));
  }
  return failed;
}

test('wrong keys that come to one host are counted at the other, too', async () => {
  const wrong = async ({ port }: PaymentHost) =>
    (await send(`http://127.0.0.1:${port}/payment/order`, { key: 'nobody'.repeat(8) })).status;
  const [one, two] = hosts;
  if (!one || !two) throw new Error('there are two hosts');
  // many at once: all of them within the minute, however slow the machine is
  for (let i = 0; i < LIMIT; i += AT_ONCE)
    expect(new Set(await Promise.all(Array.from({ length: AT_ONCE }, () => wrong(one))))).toEqual(new Set([403]));
  expect(await wrong(one)).toBe(429);
  // alone it would let in as many
  let tries = 0;
  await until(async () => {
    tries++;
    return (await wrong(two)) === 429 || undefined;
  });
  expect(tries).toBeLessThan(LIMIT);
});

test(`two payment hosts are restarted ${RESTARTS} times in turn, and no request fails`, async () => {
  let ended = false;
  const client = new Client({ ...w.shop.addresses, base_url: balancer.url }, w.keys);
  const trading = Array.from({ length: MERCHANTS }, (_, merchant) => trade(client, merchant, () => ended));
  try {
    for (let i = 0; i < RESTARTS; i++) {
      const host = hosts[i % hosts.length];
      if (!host) throw new Error('there are two hosts');
      expect(await host.stop()).toEqual({ said: { status: 'not ready', process: 'stopping' }, code: 0 });
      host.start();
      await until(() => balancer.isReady(host.port) || undefined, 60);
    }
  } finally {
    ended = true;
    await Promise.allSettled(trading);
  }
  expect((await Promise.all(trading)).flat()).toEqual([]);
  const [paid] = await w.sql<{ orders: number }>('SELECT count(*)::int AS orders FROM payment.orders');
  expect(paid?.orders).toBeGreaterThan(RESTARTS);
});
