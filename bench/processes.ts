// npm run bench:processes -- [--rounds N] [--seconds N] [--warm N]: one process and two on one database (P9), in turns.
// Where both share the processors with the database and the load, two cannot be quicker: then the CPU of a flow is what
// tells what the second one costs. What both take while nothing is asked of them is told apart: on a busy machine, with
// few flows a second, it would be most of a flow. It asserts nothing.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSimulator } from '../src/sandbox/simulator.ts';
import { type Florin, socketOf, startFlorin } from './florin.ts';
import type { Played } from './load.ts';
import { cpuOf } from './machine.ts';
import { at } from './pace.ts';
import { Helper } from './rounds.ts';

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '6' },
    // of each, before anything is measured: code that was seldom run is not compiled yet
    warm: { type: 'string', default: '4' },
  },
});
const CONNECTIONS = 64;

type Turn = { readonly per_second: number; readonly cpu_us: number };

const IDLE_S = 10;

const folder = mkdtempSync(join(tmpdir(), 'florin-processes-'));
// PostgreSQL may run as another account, which must be able to walk through
chmodSync(folder, 0o711);
const bank = await startSimulator({ host: '127.0.0.1', port: 0, journal_file: null, now: () => Date.now() });
const env = { FLORIN_SIMULATOR_URL: `http://127.0.0.1:${bank.port}` };
const data_dir = join(folder, 'data');
const florins: Florin[] = [await startFlorin({ data_dir, env })];
const loads = [new Helper('load.ts'), new Helper('load.ts')];
try {
  const database = `postgres://florin@localhost/florin?host=${encodeURIComponent(socketOf(data_dir))}`;
  florins.push(await startFlorin({ data_dir, env: { ...env, FLORIN_DATABASE_URL: database } }));

  let idle_us = 0;
  const cpu = () =>
    florins.reduce((sum, { pid }) => {
      const used = cpuOf(pid, undefined);
      return sum + (used ? used.service + used.postgres : NaN);
    }, 0);
  const idle = async (): Promise<number> => {
    const before = cpu();
    await wait(IDLE_S * 1000);
    return (cpu() - before) / IDLE_S;
  };
  const turn = async (count: number, seconds = Number(asked.seconds)): Promise<Turn> => {
    const before = cpu();
    const began = performance.now();
    const played = await Promise.all(
      loads.slice(0, count).map(async (load, i) => {
        const florin = florins[i];
        if (!florin) throw new Error('there are as many services as loads');
        const { api_url, vault_url, private_key, public_key } = florin;
        const target = { api_url, vault_url, private_key, public_key };
        return load.tell<Played>({ kind: 'flow', target, connections: CONNECTIONS / count, seconds });
      }),
    );
    const flows = played.reduce((sum, one) => sum + one.count, 0);
    const per_second = played.reduce((sum, one) => sum + one.per_second, 0);
    const alone = (idle_us * (performance.now() - began)) / 1000;
    return { per_second, cpu_us: (cpu() - before - alone) / flows };
  };

  for (const count of [1, 2]) await turn(count, Number(asked.warm));
  idle_us = await idle();
  console.log(`both together, asked nothing: ${(idle_us / 1000).toFixed(0)} ms of processor time a second`);
  const rates: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < Number(asked.rounds); round++) {
    const one = await turn(1);
    const two = await turn(2);
    rates.push(two.per_second / one.per_second);
    costs.push(two.cpu_us / one.cpu_us);
    const shown = ({ per_second, cpu_us }: Turn) => `${per_second.toFixed(0)} flows/s, ${cpu_us.toFixed(0)} µs a flow`;
    console.log(`round ${round + 1}: one process ${shown(one)}; two ${shown(two)}`);
  }
  const median = (values: readonly number[]) =>
    at(
      values.toSorted((a, b) => a - b),
      0.5,
    ).toFixed(2);
  console.log(
    `P9 two processes ÷ one: flows ${median(rates)} (asked where processors are free: 1.6), CPU of a flow ${median(costs)} (asked: at most 1.3)`,
  );
} finally {
  for (const load of loads) await load.close();
  for (const florin of florins.toReversed()) await florin.stop();
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
