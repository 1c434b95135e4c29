// The load generator, a process of its own: plays one kind of flow on so many connections for so long, when it is asked
// to.
import { setTimeout as wait } from 'node:timers/promises';
import { type Kind, type Stock, type Target, type Worker, openWorker, play } from './flows.ts';

export type Task = {
  readonly kind: Kind;
  readonly target: Target;
  readonly connections: number;
  readonly seconds: number;
  /** Stops after so many, when they come first. */
  readonly most?: number;
  /**
   * Begins so many a second, however many still wait; each counts from the moment it was due. Absent: each begins when
   * the one before it ended.
   */
  readonly rate?: number;
};
export type Played = {
  readonly count: number;
  readonly seconds: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly errors: number;
  /** The first few different ones. */
  readonly error_samples: readonly string[];
};

const PATIENCE_MS = 15_000;
const SAMPLES = 5;

const stock: Stock = { paid: [], payable: [] };
const pools = new Map<string, Worker[]>();

async function run({ kind, target, connections, seconds, most = Infinity, rate }: Task): Promise<Played> {
  const workers = poolOf(target, connections);
  const latencies: number[] = [];
  const errors = new Map<string, number>();
  let begun = 0;
  const began = performance.now();
  const until = began + seconds * 1000;
  const hung = setTimeout(() => workers.forEach(close), seconds * 1000 + PATIENCE_MS);
  const work = async (worker: Worker) => {
    while (performance.now() < until && begun < most) {
      const from = rate === undefined ? performance.now() : began + (1000 * begun) / rate;
      begun++;
      if (from > performance.now()) await wait(from - performance.now());
      try {
        if (!(await play(kind, worker, stock))) return;
        latencies.push(performance.now() - from);
      } catch (error) {
        const said = String(error);
        errors.set(said, (errors.get(said) ?? 0) + 1);
      }
    }
  };
  await Promise.all(workers.map(work));
  clearTimeout(hung);
  const took = (performance.now() - began) / 1000;
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    count: sorted.length,
    seconds: took,
    per_second: sorted.length / took,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    errors: [...errors.values()].reduce((sum, count) => sum + count, 0),
    error_samples: [...errors].slice(0, SAMPLES).map(([said, count]) => `${count} x ${said}`),
  };
}

/** Connections are kept from round to round, as a merchant's server keeps them. */
function poolOf(target: Target, connections: number): readonly Worker[] {
  const name = `${target.api_url} ${connections}`;
  const known = pools.get(name) ?? Array.from({ length: connections }, () => openWorker(target));
  pools.set(name, known);
  return known;
}

function close({ api, vault }: Worker): void {
  api.close();
  vault.close();
}

process.on('message', (task: Task) => void run(task).then((played) => process.send?.(played)));
process.on('disconnect', () => process.exit());
