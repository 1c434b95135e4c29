import { mkdtempSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { startFlorin, socketOf } from './florin.ts';
import { rehearse } from './rehearsal.ts';
import { findPgbench, makeBenchRole, runPgbench, typesFrom } from './pgbench.ts';
const folder = mkdtempSync(join(tmpdir(), 'fb-')); chmodSync(folder, 0o711);
const data_dir = join(folder, 'data');
const r = await rehearse(folder, data_dir);
console.log(folder, r.answers);
const f = await startFlorin({ data_dir });
console.log(f.ready_ms);
const admin = new pg.Client({ host: socketOf(data_dir), user: 'florin', database: 'florin' });
await admin.connect();
await makeBenchRole(admin);
const script = await r.script(typesFrom(admin));
console.log(script.statements, script.round_trips, r.options);
const found = findPgbench();
if ('missing' in found) throw new Error(found.missing);
try {
for (const clients of [1, 8, 16, 32, 38])
console.log(clients, await runPgbench(found, { script_file: join(folder, 's.sql'), script, socket_dir: socketOf(data_dir), database: 'florin', clients, seconds: 3, options: r.options }));
console.log((await admin.query('select status, count(*), (select count(*) from payment.operations) from payment.orders group by 1')).rows);
console.log((await admin.query('select state, count(*) from vault.forwards group by 1')).rows);
} finally { await admin.end(); await f.stop(); }
