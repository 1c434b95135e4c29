// npm run bench:trial -- [--orders N] [--rounds N] [--seconds N] [--keep FOLDER] [--profile FOLDER]: what `florin
// routing try` takes (R10). Orders of 30 days are written, forty rules decided each; a draft with other shares is tried
// on a tenth of them and on all: orders a second, processor time an order, memory at most. Then payments are made
// without a trial and beside one, in turns. It asserts nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { ALL_WELL } from '../src/commands/ledger/session.ts';
import { openPaymentBeside } from '../src/hosts/databases.ts';
import { openOrigins } from '../src/kit/origin/origins.ts';
import { openLog } from '../src/kit/log.ts';
import { findAccount } from '../src/payment/merchant/account.ts';
import { openSecretKey } from '../src/payment/secret-key.ts';
import { providers } from '../src/provider/registry.ts';
import { readConfig } from '../src/settings/config.ts';
import { systemChance, systemClock } from '../src/kit/clock.ts';
import { accountOf, openAdmin } from './database.ts';
import { type Florin, bareEnvironment, startFlorin } from './florin.ts';
import type { Played } from './load.ts';
import { cpuOf, peakMb, threadsUs } from './machine.ts';
import { at } from './pace.ts';
import { writePast } from './past.ts';
import { Helper } from './rounds.ts';
import { FORTY_RULES, putRules } from './rules.ts';

const { values: asked } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    keep: { type: 'string' },
    profile: { type: 'string' },
  },
});
const ORDERS = Number(asked.orders);
const SEED = 17;
const DAYS = 30;
const CONNECTIONS = 64;
const LAUNCHER = join(import.meta.dirname, '../bin/florin.mjs');

const folder = asked.keep ?? mkdtempSync(join(tmpdir(), 'florin-trial-'));
// PostgreSQL may run as another account, which must be able to walk through
chmodSync(folder, 0o711);
const data_dir = join(folder, 'data');
const draft_file = join(folder, 'draft.json');

/** The last rule sends other shares, and draws anew; an earlier one takes what is large. */
const DRAFT = {
  rules: FORTY_RULES.rules.map((rule) =>
    rule.name === 'the last'
      ? { ...rule, then: { split: [['simulator', 6000], ['simulator_b', 4000]] } } // prettier-ignore
      : rule,
  ),
};

type Trial = { readonly child: ChildProcess; readonly said: () => string };

function startTrial(account: string, most: number, node: readonly string[] = []): Trial {
  const words = [
    'routing',
    'try',
    draft_file,
    '--account',
    account,
    '--since',
    '40d',
    '--most',
    String(most),
    '--json',
  ];
  const child = spawn(process.execPath, [...node, LAUNCHER, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...bareEnvironment(), FLORIN_DATA_DIR: data_dir },
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { child, said: () => said };
}

type Cost = { readonly seconds: number; readonly own_us: number; readonly postgres_us: number; readonly mb: number };

const WATCH_MS = 50;

/** Runs one to its end; its processor time and memory are read while it runs. */
async function costOf(florin: Florin, account: string, most: number): Promise<Cost> {
  const postgres = () => cpuOf(florin.pid, undefined)?.postgres ?? NaN;
  const before = postgres();
  const began = performance.now();
  const profile = asked.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${asked.profile}`];
  const { child, said } = startTrial(account, most, profile);
  let [own_us, mb] = [0, 0];
  const watch = setInterval(() => {
    own_us = Math.max(own_us, threadsUs(child.pid ?? 0));
    mb = Math.max(mb, peakMb(child.pid ?? 0));
  }, WATCH_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watch);
  const seconds = (performance.now() - began) / 1000;
  const found = JSON.parse(said()) as { attempts: number; defects: number; moved: number };
  if (code !== 0 || found.attempts < most || found.defects > 0)
    throw new Error(`the trial ended with ${code}: ${JSON.stringify({ ...found, examples: undefined })}`);
  return { seconds, own_us, postgres_us: postgres() - before, mb };
}

function print(orders: number, { seconds, own_us, postgres_us, mb }: Cost): void {
  const each = (us: number) => (us / orders).toFixed(1);
  console.log(
    `${orders} orders: ${seconds.toFixed(1)} s, ${(orders / seconds).toFixed(0)} orders/s; processor ${(own_us / 1e6).toFixed(1)} s of its own and ${(postgres_us / 1e6).toFixed(1)} s of PostgreSQL (${each(own_us)} and ${each(postgres_us)} µs an order); at most ${mb.toFixed(0)} MB`,
  );
}

async function fill(admin: pg.Client, merchant_account_id: string): Promise<void> {
  const { rows } = await admin.query<{ found: boolean }>('SELECT EXISTS (SELECT FROM payment.orders) AS found');
  if (rows[0]?.found) return;
  await putRules({ folder, data_dir, account: merchant_account_id }, true);
  process.env['FLORIN_DATA_DIR'] = data_dir;
  const config = readConfig(undefined, 'payment command');
  const log = openLog('warn');
  const { db, close } = await openPaymentBeside(config, log);
  const secret_key = await openSecretKey({ db, log, chance: systemChance(systemClock()) }, config);
  const account = await findAccount({ db }, merchant_account_id);
  if (!account) throw new Error('the account was there a moment ago');
  const tools = {
    secret_key,
    origins: openOrigins(config),
    providers: providers(config),
    breaker: ALL_WELL,
  };
  const began = performance.now();
  await writePast(admin, { tools, account }, { orders: ORDERS, days: DAYS, seed: SEED });
  await close();
  const size = await admin.query<{ mb: number }>('SELECT (pg_database_size(current_database()) / 1048576)::int AS mb');
  console.error(`${ORDERS} orders in ${((performance.now() - began) / 1000).toFixed(0)} s, ${size.rows[0]?.mb} MB`);
}

/** Until a trial has begun to read. */
async function hasBegun(admin: pg.Client): Promise<void> {
  for (let is_there = false; !is_there; await wait(WATCH_MS)) {
    const { rows } = await admin.query(
      `SELECT
       FROM pg_stat_activity
       WHERE application_name = 'florin payment command'
         AND query LIKE '%payment.transactions%'`,
    );
    is_there = rows.length > 0;
  }
}

const median = (values: readonly number[]) =>
  at(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** Payments alone and beside a trial: A B B A, so that a machine that changes its mind changes it for both. */
async function besideTraffic(florin: Florin, account: string, reading: () => Promise<void>): Promise<void> {
  const load = new Helper('load.ts');
  const { api_url, vault_url, private_key, public_key } = florin;
  const target = { api_url, vault_url, private_key, public_key };
  const flows = () =>
    load.tell<Played>({ kind: 'flow', target, connections: CONNECTIONS, seconds: Number(asked.seconds) });
  const beside = async () => {
    const { child } = startTrial(account, ORDERS);
    await reading();
    const played = await flows();
    child.kill('SIGINT');
    await once(child, 'close');
    return played;
  };
  try {
    await flows();
    const ratios: number[] = [];
    for (let round = 0; round < Number(asked.rounds); round++) {
      const [a, b] = [await flows(), await beside()];
      const [c, d] = [await beside(), await flows()];
      ratios.push((b.per_second + c.per_second) / (a.per_second + d.per_second));
      console.log(
        `round ${round + 1}: payments/s alone ${a.per_second.toFixed(0)}, beside ${b.per_second.toFixed(0)}, ${c.per_second.toFixed(0)}, alone ${d.per_second.toFixed(0)}; p99 ${[a, b, c, d].map(({ p99_ms }) => p99_ms.toFixed(0)).join(', ')} ms`,
      );
    }
    console.log(`payments beside a trial ÷ alone: ${median(ratios).toFixed(3)} (asked: at least 0.9)`);
  } finally {
    await load.close();
  }
}

const is_known = existsSync(data_dir);
const florin = await startFlorin({ data_dir });
const admin = await openAdmin(data_dir);
try {
  const account = await accountOf(admin, florin.private_key);
  await fill(admin, account);
  writeFileSync(draft_file, JSON.stringify(DRAFT));
  if (!is_known) console.error('written');
  await costOf(florin, account, 1000);
  for (const orders of [ORDERS / 10, ORDERS]) print(orders, await costOf(florin, account, orders));
  if (Number(asked.rounds) > 0) await besideTraffic(florin, account, () => hasBegun(admin));
} finally {
  await admin.end();
  await florin.stop();
  if (asked.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
process.exit();
