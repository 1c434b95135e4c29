// npm run bench -- [--quick] [--profile] [--json FILE] [--against FILE] [--connections N] [--pgbench-clients N]
// [--rounds N] How far the service is from what the machine could do: in one run, the bare HTTP server, each request,
// the whole flow, and what any service must make durable for it (reference.sql), one after the other, round by round.
// It prints ratios and asserts nothing.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { accountOf, openAdmin, plannedScans, scannedSince, scansOf } from './database.ts';
import { type Florin, startFlorin, socketOf } from './florin.ts';
import { openWorker, play } from './flows.ts';
import { memoryOf } from './machine.ts';
import { countPaid, findPgbench, makeBenchRole, makeReference, typesFrom } from './pgbench.ts';
import { type Profile, readProfile } from './profile.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';
import { type Outcome, ratiosOf, reportOf, walPerOrder } from './report.ts';
import { putRules } from './rules.ts';
import { Helper, type Line, type Sample, type Stage, playRound, playTask } from './rounds.ts';
import type { Script } from './script.ts';

const { values: asked } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    json: { type: 'string' },
    // what --json wrote before: each line is compared with it
    against: { type: 'string' },
    connections: { type: 'string', default: '64' },
    // more do not make it quicker on a small machine, and the server takes 60 connections in all
    'pgbench-clients': { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
  },
});

const SINGLE_S = asked.quick ? 1.2 : 5;
const BARE_S = asked.quick ? 0.8 : 3;
const SECONDS: Readonly<Record<Line, number>> = {
  'bare checkout': BARE_S,
  'bare token': BARE_S,
  'bare read': BARE_S,
  checkout: SINGLE_S,
  token: SINGLE_S,
  read: SINGLE_S,
  order: asked.quick ? 1 : 4,
  'order, paced': asked.quick ? 2 : 6,
  authorize: SINGLE_S,
  // pgbench takes whole seconds only
  flow: asked.quick ? 2.5 : 10,
  'flow, 40 rules': asked.quick ? 2.5 : 10,
  pgbench: asked.quick ? 2 : 10,
  reference: asked.quick ? 2 : 10,
};
const WARM_S = asked.quick ? 1.5 : 4;
const PROFILE_S = asked.quick ? 4 : 10;
const SETTLE_MS = 1200;
const HEAVIEST = 25;

type Closers = (() => Promise<void> | void)[];
const closers: Closers = [];

async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void closeAll().finally(() => process.exit(130)));

try {
  await bench();
} finally {
  await closeAll();
}

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  // PostgreSQL may run as another account, which must be able to walk through
  chmodSync(folder, 0o711);
  const data_dir = join(folder, 'data');
  say('first start, and two payments to learn the statements from');
  const rehearsal = await rehearse(folder, data_dir);
  say('warm start');
  const florin = await startFlorin({ data_dir });
  closers.push(() => florin.stop());
  const boot_warm_ms = await firstAnswer(florin);
  await wait(SETTLE_MS);
  const idle_mb = memoryOf(florin.pid);
  const admin = await openAdmin(data_dir);
  closers.push(() => admin.end());
  const found = findPgbench();
  await makeBenchRole(admin);
  await makeReference(admin);
  const script = await rehearsal.script(typesFrom(admin));
  const stage = await openStage({ folder, data_dir, florin, admin, rehearsal, script });
  const { samples, scans } = await Promise.race([playAll(stage), florin.fallen]);
  const loaded_mb = memoryOf(florin.pid);
  const pgbench_paid: { said: number; paid: number }[] = [];
  for (const { seconds_hex, count, reference } of samples) {
    if (seconds_hex !== undefined) pgbench_paid.push({ said: count, paid: await countPaid(admin, seconds_hex) });
    if (reference) pgbench_paid.push({ said: count, paid: reference.paid });
  }
  scans.push(...(await plannedScans(admin, rehearsal.texts)));
  const profile = asked.profile ? await profiled(stage, { folder, data_dir }) : undefined;
  const outcome: Outcome = {
    at: new Date().toISOString(),
    machine: `${cpus().length} x ${cpus()[0]?.model ?? 'processor'}`,
    node: process.versions.node,
    quick: asked.quick,
    connections: stage.connections,
    pgbench: 'missing' in found ? found : { version: found.version, clients: Number(asked['pgbench-clients']) },
    statements: script.statements,
    round_trips: script.round_trips,
    boot_cold_ms: rehearsal.ready_ms,
    boot_warm_ms,
    idle_mb,
    loaded_mb,
    samples,
    scans,
    pgbench_paid,
    profile,
  };
  const earlier = asked.against && (JSON.parse(readFileSync(asked.against, 'utf8')) as Pick<Outcome, 'samples'>);
  console.log(`\n${reportOf(outcome, earlier ? earlier.samples : undefined)}`);
  if (asked.json !== undefined) {
    const told = { ratios: ratiosOf(samples), wal_per_order: walPerOrder(samples), ...outcome };
    writeFileSync(asked.json, `${JSON.stringify(told)}\n`);
  }
}

/** Milliseconds from the start of the service to its first answer. */
async function firstAnswer(florin: Florin): Promise<number> {
  const began = performance.now();
  const worker = openWorker(florin);
  await play('checkout', worker, { paid: [], payable: [] });
  worker.api.close();
  return florin.ready_ms + performance.now() - began;
}

type Opening = {
  readonly folder: string;
  readonly data_dir: string;
  readonly florin: Florin;
  readonly admin: pg.Client;
  readonly rehearsal: Rehearsal;
  readonly script: Script;
};

async function openStage({ folder, data_dir, florin, admin, rehearsal, script }: Opening): Promise<Stage> {
  const load = new Helper('load.ts');
  closers.push(() => load.close());
  const bare = new Helper('ceiling.ts');
  closers.push(() => bare.close());
  const bare_url = `http://127.0.0.1:${await bare.tell<number>(rehearsal.answers)}`;
  const found = findPgbench();
  const account = await accountOf(admin, florin.private_key);
  const run = {
    script_file: join(folder, 'flow.sql'),
    script,
    socket_dir: socketOf(data_dir),
    database: 'florin',
    clients: Number(asked['pgbench-clients']),
    options: rehearsal.options,
  };
  return {
    florin,
    load,
    bare: { pid: bare.pid, target: { ...florin, api_url: bare_url, vault_url: bare_url } },
    admin,
    pgbench: 'missing' in found ? undefined : { found, run },
    connections: Number(asked.connections),
    rules: (in_force) => putRules({ folder, data_dir, account }, in_force),
    seconds: SECONDS,
  };
}

async function playAll(stage: Stage) {
  say('warming up');
  const warm = await playTask(stage, { kind: 'flow', seconds: WARM_S });
  for (const kind of ['authorize', 'read'] as const) await playTask(stage, { kind, seconds: WARM_S / 4 });
  for (const kind of ['checkout', 'token', 'read'] as const) await playTask(stage, { kind, seconds: WARM_S / 8 }, true);
  // as autovacuum would within a minute: plans for tables that have rows
  await stage.admin.query('VACUUM (ANALYZE)');
  const before = await scansOf(stage.admin);
  const samples: Sample[] = [];
  for (let round = 0; round < Number(asked.rounds); round++) {
    say(`round ${round + 1} of ${asked.rounds}`);
    samples.push(...(await playRound(stage, round, warm.per_second)));
  }
  await wait(SETTLE_MS);
  return { samples, scans: [...(await scannedSince(stage.admin, before))] };
}

/** A start of its own under the profiler: nothing of it is in the table. */
async function profiled(stage: Stage, { folder, data_dir }: { folder: string; data_dir: string }): Promise<Profile> {
  say('once more under the profiler');
  await stage.admin.end();
  await stage.florin.stop();
  const place = join(folder, 'profile');
  const florin = await startFlorin({ data_dir, node: ['--cpu-prof', `--cpu-prof-dir=${place}`] });
  closers.push(() => florin.stop());
  const warm = await playTask({ ...stage, florin }, { kind: 'flow', seconds: WARM_S });
  const { count } = await playTask({ ...stage, florin }, { kind: 'flow', seconds: PROFILE_S });
  await florin.stop();
  return readProfile(place, { count: count + warm.count, skip_ms: florin.ready_ms, most: HEAVIEST });
}

function say(line: string): void {
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}`);
}
