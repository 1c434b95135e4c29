// npm run bench:notify -- [--rate N] [--seconds N]: how long after its commit a notification arrives (P12), at so many
// paid orders a second. The receiver is the bench itself; the time of an event is that of the statement which wrote it.
// It asserts nothing.
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { listeningPort } from '../src/kit/listening-port.ts';
import { openAdmin } from './database.ts';
import { startFlorin } from './florin.ts';
import { type Worker, openWorker, play } from './flows.ts';
import { at, atRate } from './pace.ts';

const { values: asked } = parseArgs({
  options: { rate: { type: 'string', default: '50' }, seconds: { type: 'string', default: '20' } },
});
const EVENT = 'capture_successful';
const PATIENCE_MS = 30_000;

const arrived = new Map<string, number>();
const server = createServer((request, response) => {
  const now = Date.now();
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => (text += part));
  request.on('end', () => {
    const [, order_id] = /"order_id":"([0-9a-f]{24})"/.exec(text) ?? [];
    if (order_id !== undefined && text.includes(`"${EVENT}"`)) arrived.set(order_id, arrived.get(order_id) ?? now);
    response.end();
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${listeningPort(server)}/`;

const folder = mkdtempSync(join(tmpdir(), 'florin-notify-'));
// PostgreSQL may run as another account, which must be able to walk through
chmodSync(folder, 0o711);
const data_dir = join(folder, 'data');
const florin = await startFlorin({ data_dir });
try {
  const made = await fetch(`${florin.api_url}/notification/endpoint`, {
    method: 'POST',
    headers: { 'x-api-key': florin.private_key, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: [EVENT] }),
  });
  if (!made.ok) throw new Error(`the endpoint was not made: ${await made.text()}`);
  const free: Worker[] = [];
  const pay = async () => {
    const worker = free.pop() ?? openWorker(florin);
    await play('flow', worker, { paid: [], payable: [] });
    free.push(worker);
  };
  const { length: orders } = await atRate(Number(asked.rate), Number(asked.seconds), pay);
  const began = performance.now();
  while (arrived.size < orders && performance.now() - began < PATIENCE_MS) await wait(50);
  const admin = await openAdmin(data_dir);
  const { rows } = await admin.query<{ order_id: string; ms: string }>(
    `SELECT
       encode(subject_id, 'hex') AS order_id,
       extract(epoch FROM at) * 1000 AS ms
     FROM payment.events
     WHERE type = $1`,
    [EVENT],
  );
  await admin.end();
  const took = rows
    .flatMap(({ order_id, ms }) => {
      const then = arrived.get(order_id);
      return then === undefined ? [] : [then - Number(ms)];
    })
    .toSorted((a, b) => a - b);
  console.log(
    `P12 ${took.length} of ${orders} notifications at ${asked.rate} orders a second: from commit to arrival ` +
      `p50 ${at(took, 0.5).toFixed(0)} ms, p99 ${at(took, 0.99).toFixed(0)} ms (asked: 2,000, then 300)`,
  );
} finally {
  await florin.stop();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
