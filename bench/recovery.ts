// npm run bench:recovery -- [--orders N]: what a crash leaves is found out (P11). The bank takes that many
// authorizations, does every other one and answers none; the service is killed with all of them open, the bank is well
// again, and the service starts. It prints how long it takes until what was done is known, and until every order is
// decided: what never arrived may still be on its way for the provider's in-flight time. It asserts nothing.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openAdmin } from './database.ts';
import { startFlorin } from './florin.ts';
import { type Stock, openWorker, play } from './flows.ts';
import { openBank } from './gate.ts';
import { cpuOf } from './machine.ts';

const { values: asked } = parseArgs({ options: { orders: { type: 'string', default: '1000' } } });
const ORDERS = Number(asked.orders);
const WORKERS = 64;
const LOOK_MS = 50;
const PATIENCE_S = 180;

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
  bank.hang('every other');
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
  const cpu_s = () => {
    const used = cpuOf(florin.pid, undefined);
    return used ? (used.service + used.postgres) / 1e6 : NaN;
  };
  const cpu_before = cpu_s();
  const began = performance.now();
  const since = () => (performance.now() - began) / 1000;
  let left = await countOf(OPEN);
  let found = { count: 0, at_s: 0 };
  while (left > 0 && since() < PATIENCE_S) {
    await wait(LOOK_MS);
    left = await countOf(OPEN);
    const count = await countOf("= 'successful'");
    if (count > found.count) found = { count, at_s: since() };
  }
  console.log(
    `P11 ${found.at_s.toFixed(1)} s from ready to the last of ${found.count} that were done (asked: 10, then 3); ` +
      `${since().toFixed(1)} s to all decided: ${await countOf("IN ('declined', 'not_sent')")} not done, ` +
      `${await countOf("= 'review'")} for a person, ${left} left open; ` +
      `${(cpu_s() - cpu_before).toFixed(1)} s of processor time of the service and its database meanwhile`,
  );
} finally {
  await florin.stop();
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
