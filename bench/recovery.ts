// npm run bench:recovery -- [--orders N]: what a crash leaves is found out (P11). The bank takes that many
// authorizations and answers none; the service is killed with all of them open, the bank is well again, and the service
// starts. It prints how long it takes until every order is decided, and how they ended. It asserts nothing.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openAdmin } from './database.ts';
import { startFlorin } from './florin.ts';
import { type Stock, openWorker, play } from './flows.ts';
import { openBank } from './gate.ts';

const { values: asked } = parseArgs({ options: { orders: { type: 'string', default: '1000' } } });
const ORDERS = Number(asked.orders);
const WORKERS = 64;
const LOOK_MS = 50;
const PATIENCE_MS = 180_000;

const folder = mkdtempSync(join(tmpdir(), 'florin-recovery-'));
// PostgreSQL may run as another account, which must be able to walk through
chmodSync(folder, 0o711);
const data_dir = join(folder, 'data');
const bank = await openBank('/');
const start = () => startFlorin({ data_dir, env: { FLORIN_SIMULATOR_URL: bank.url } });

/** Asked on a connection of its own each time: the server ends with the service. */
async function countOf(state: string): Promise<number> {
  const admin = await openAdmin(data_dir);
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n
     FROM payment.operations
     WHERE kind = 'authorize'
       AND state ${state}`,
  );
  await admin.end();
  return rows[0]?.n ?? 0;
}

const OPEN = "IN ('requested', 'in_doubt', 'reversing')";

let florin = await start();
try {
  const stock: Stock = { paid: [], payable: [] };
  const { api_url, vault_url, private_key, public_key } = florin;
  const workers = Array.from({ length: WORKERS }, () => openWorker({ api_url, vault_url, private_key, public_key }));
  const each = (one: (worker: (typeof workers)[number]) => Promise<unknown>) => {
    let left = ORDERS;
    return Promise.all(
      workers.map(async (worker) => {
        while (left-- > 0) await one(worker);
      }),
    );
  };
  await each((worker) => play('prepare', worker, stock));
  bank.hang();
  const pay = async () => {
    const paid = stock.payable.pop();
    const headers = { 'x-api-key': private_key, 'content-type': 'application/json', prefer: 'wait=0' };
    await fetch(`${api_url}/payment/order`, { method: 'POST', headers, body: JSON.stringify(paid) });
  };
  await each(pay);
  const open = await countOf(OPEN);
  florin.fallen.catch(() => undefined);
  process.kill(florin.pid, 'SIGKILL');
  await florin.stop();
  bank.letGo();
  console.log(`killed with ${open} of ${ORDERS} authorizations open`);
  florin = await start();
  const began = performance.now();
  let left = await countOf(OPEN);
  while (left > 0 && performance.now() - began < PATIENCE_MS) {
    await wait(LOOK_MS);
    left = await countOf(OPEN);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `P11 ${seconds} s from ready to all decided (asked: 10, then 3); ${left} left open, ` +
      `${await countOf("= 'successful'")} approved, ${await countOf("IN ('declined', 'not_sent')")} not, ${await countOf("= 'review'")} for a person`,
  );
} finally {
  await florin.stop();
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
