// The process itself: what it is, what it takes, and how long it leaves others waiting.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { counter, gauge } from './registry.ts';

const RESOLUTION_MS = 50;
const WINDOW_MS = 2000;
const WINDOWS = 3;
/** A process that lets others wait longer is not ready for more (docs/hardening.md). */
const READY_LAG_MS = 200;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let lag = { p90_ms: 0, max_ms: 0 };
/** The last windows, so that one moment of trouble takes no host out. */
let windows: readonly number[] = [0];
let watching: NodeJS.Timeout | undefined;

/** Begins to measure how long the event loop lets a timer wait; once a process. */
export function watchLag(): void {
  if (watching) return;
  delay.enable();
  watching = setInterval(() => {
    const beyond = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
    lag = { p90_ms: beyond(delay.percentile(90)), max_ms: beyond(delay.max) };
    windows = [...windows, lag.p90_ms].slice(-WINDOWS);
    delay.reset();
  }, WINDOW_MS).unref();
}

/**
 * The word of /ready about delays in the process: `ok`, or by how many milliseconds one in ten turns came late in each
 * of the last windows.
 */
export function lagState(): string {
  const least_ms = Math.min(...windows);
  return least_ms <= READY_LAG_MS ? 'ok' : `${Math.round(least_ms)} ms late`;
}

gauge('florin_event_loop_lag_seconds', 'How late a timer came in the last two seconds').from(() => [
  [{ quantile: '0.9' }, lag.p90_ms / 1000],
  [{ quantile: '1' }, lag.max_ms / 1000],
]);
gauge('florin_memory_bytes', 'Memory of the process').from(() => {
  const { rss, heapUsed, external } = process.memoryUsage();
  return [
    [{ kind: 'resident' }, rss],
    [{ kind: 'heap' }, heapUsed],
    [{ kind: 'external' }, external],
  ];
});
gauge('florin_cpu_seconds', 'Processor time the process has taken').from(() => {
  const { user, system } = process.cpuUsage();
  return [
    [{ mode: 'user' }, user / 1e6],
    [{ mode: 'system' }, system / 1e6],
  ];
});
gauge('florin_uptime_seconds', 'Seconds since the process began').from(() => [[{}, process.uptime()]]);

const build = gauge('florin_build_info', 'What runs: always 1');

/** Says what this process is; answers what ends that. */
export function tellBuild(what: {
  readonly version: string;
  readonly shape: string;
  readonly environment: string;
}): () => void {
  return build.from(() => [[{ ...what, node: process.versions.node }, 1]]);
}

const problems = counter('florin_log_lines_total', 'Lines logged at the levels warn and error');

/** Every line of these levels is counted, whether it is written or not. */
export function countLine(level: 'warn' | 'error'): void {
  problems.add({ level });
}
