// npm run bench:hanging -- [--seconds N] [--rate N]: one provider hangs, another does not (targets.md C5). Two shops
// pay at a fixed rate, whatever comes back; one of them through a provider that takes every call and never answers. It
// prints what the other shop's payers waited before, meanwhile and afterwards (a database that grows and a machine that
// is shared make a difference of their own), how many requests waited for a database connection, what became of the
// captures that were asked for meanwhile, and asserts nothing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listeningPort } from '../src/kit/listening-port.ts';
import { accountOf, openAdmin } from './database.ts';
import { type Florin, startFlorin } from './florin.ts';
import { type Target, type Worker, openWorker, play } from './flows.ts';
import { openBank } from './gate.ts';
import { at, atRate as atAnyRate } from './pace.ts';

const { values: asked } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, rate: { type: 'string', default: '50' } },
});
const SECONDS = Number(asked.seconds);
const RATE = Number(asked.rate);
const CAPTURES = 100;
const PATIENCE_S = 60;

const atRate = (seconds: number, one: () => Promise<void>, rate = RATE) => atAnyRate(rate, seconds, one);

/** Connections that are free, and as many more as are needed. */
function payer(target: Target, failed: Map<string, number>): () => Promise<void> {
  const free: Worker[] = [];
  return async () => {
    const worker = free.pop() ?? openWorker(target);
    await play('flow', worker, { paid: [], payable: [] }).catch((error: unknown) => {
      const said = /wanted \d+, got (\d+ .{0,45})/.exec(String(error))?.[1] ?? String(error);
      failed.set(said, (failed.get(said) ?? 0) + 1);
    });
    free.push(worker);
  };
}

const shown = (sorted: readonly number[]) =>
  `${sorted.length} orders, p50 ${at(sorted, 0.5).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms`;

async function ask(url: string, key: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', prefer: 'wait=0' };
  const answer = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  return JSON.parse(await answer.text()) as Readonly<Record<string, unknown>>;
}

/** The most that waited at once for a connection of any pool, looked at every second. */
function watchPools(url: string): () => number {
  let most = 0;
  const look = async () => {
    const text = await fetch(url).then(
      (answer) => answer.text(),
      () => '',
    );
    for (const [, count] of text.matchAll(/^florin_database_connections\{[^}]*waited for[^}]*\} (\d+)/gm))
      most = Math.max(most, Number(count));
  };
  const looking = setInterval(() => void look(), 1000);
  return () => {
    clearInterval(looking);
    return most;
  };
}

async function authorizeSome(shop: Target): Promise<readonly string[]> {
  const card = { card_number: '4242424242424242', card_validity_month: '12', card_validity_year: '2034', cvc: '123' };
  const made: string[] = [];
  for (let n = 0; n < CAPTURES; n++) {
    const { token } = await ask(`${shop.vault_url}/token`, shop.public_key, card);
    const order = { operation_type: 'authorize', amount: '12.00', currency: 'EUR', order_merchant_id: `held-${n}` };
    const { order_id } = await ask(`${shop.api_url}/payment/order`, shop.private_key, { ...order, token });
    made.push(String(order_id));
  }
  return made;
}

/** How many of the orders are captured, and when the last became so; gives up after its patience. */
async function untilCaptured(shop: Target, orders: readonly string[]) {
  const began = performance.now();
  let open = [...orders];
  while (open.length > 0 && performance.now() - began < PATIENCE_S * 1000) {
    const read = await Promise.all(
      open.map(async (id) => ({ id, ...(await ask(`${shop.api_url}/payment/order/${id}`, shop.private_key)) })),
    );
    open = read.filter((order) => !('is_captured' in order && order.is_captured === true)).map(({ id }) => id);
  }
  return { captured: orders.length - open.length, seconds: (performance.now() - began) / 1000 };
}

function shopOf({ api_url, vault_url }: Florin, file: string): Target {
  const keys = JSON.parse(readFileSync(file, 'utf8')) as Pick<Target, 'private_key' | 'public_key'>;
  return { api_url, vault_url, ...keys };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const port = listeningPort(server);
      server.close(() => resolve(port));
    });
  });
}

const data_dir = mkdtempSync(join(tmpdir(), 'florin-hanging-'));
const port = await freePort();
const bank = await openBank('/simulator_b/');
const florin = await startFlorin({
  data_dir,
  env: { FLORIN_METRICS_PORT: String(port), FLORIN_SIMULATOR_URL: bank.url },
});
try {
  const well = shopOf(florin, join(data_dir, 'demo-account.json'));
  const ill = shopOf(florin, join(data_dir, 'demo-page-inputs.json'));
  const admin = await openAdmin(data_dir);
  // the ill shop has the second provider alone, so that nothing can be tried elsewhere
  await admin.query(
    `UPDATE payment.contracts
     SET enabled = (provider = 'simulator_b')
     WHERE merchant_account_id <> decode($1, 'hex')`,
    [await accountOf(admin, well.private_key)],
  );
  const [failed, ill_said] = [new Map<string, number>(), new Map<string, number>()];
  const pay = payer(well, failed);
  const pay_ill = payer(ill, ill_said);
  await atRate(10, pay);
  const waited = watchPools(`http://127.0.0.1:${port}/metrics`);
  const capturing = (orders: readonly string[]) => {
    let next = 0;
    const capture = async () => {
      const id = orders[next++] ?? '';
      await ask(`${ill.api_url}/payment/maintenance/capture/${id}`, ill.private_key, {});
    };
    return atRate(SECONDS, capture, orders.length / SECONDS);
  };
  const early = await authorizeSome(ill);
  const held = await authorizeSome(ill);
  const [alone] = await Promise.all([atRate(SECONDS, pay), atRate(SECONDS, pay_ill), capturing(early)]);
  console.log(`both well: ${shown(alone)}`);
  if (ill_said.size > 0) console.log('  the shop to be ill heard', Object.fromEntries(ill_said));
  bank.hang();
  const [meanwhile, theirs] = await Promise.all([atRate(SECONDS, pay), atRate(SECONDS, pay_ill), capturing(held)]);
  console.log(`one hangs: ${shown(meanwhile)}`);
  console.log(`  errors of the well shop: ${failed.size === 0 ? 'none' : JSON.stringify(Object.fromEntries(failed))}`);
  console.log(`  the ill shop: ${shown(theirs)}; it heard`, Object.fromEntries(ill_said));
  console.log(`  most requests that waited for a database connection at once: ${waited()}`);
  bank.letGo();
  const { captured: done, seconds } = await untilCaptured(ill, held);
  console.log(
    `  captures asked for meanwhile: ${done} of ${held.length} done ${seconds.toFixed(1)} s after it was well again`,
  );
  const later = await authorizeSome(ill);
  const [after] = await Promise.all([atRate(SECONDS, pay), atRate(SECONDS, pay_ill), capturing(later)]);
  console.log(`both well again: ${shown(after)}`);
  const usual = (at(alone, 0.99) + at(after, 0.99)) / 2;
  console.log(
    `C5: p99 of the well shop while the other's provider hangs: ${(at(meanwhile, 0.99) / usual).toFixed(2)} of usual`,
  );
  await admin.end();
} finally {
  await florin.stop();
  await bank.close();
  rmSync(data_dir, { recursive: true, force: true });
}
