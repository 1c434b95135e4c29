// Rounds: every line of the table once, one after the other, again and again, so that a machine that changes its mind
// changes it for all of them. Each sample carries the CPU that it cost and how quiet the machine was.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type pg from 'pg';
import type { Answers } from './ceiling.ts';
import { type Wal, checkpoint, followed, walPosition, walSince } from './database.ts';
import { KINDS, type Kind, type Target } from './flows.ts';
import type { Florin } from './florin.ts';
import type { Played, Task } from './load.ts';
import { type Cpu, type Noise, cpuOf, noiseOf, reapedUs, ticks } from './machine.ts';
import { type Pgbench, type PgbenchRun, countReferencePaid, runPgbench, runReference } from './pgbench.ts';

export const LINES = [
  'bare checkout',
  'checkout',
  'bare token',
  'token',
  'bare read',
  'read',
  'order',
  'order, paced',
  'authorize',
  'flow',
  'flow, 40 rules',
  'reference',
  'pgbench',
] as const;
export type Line = (typeof LINES)[number];

export type Sample = Pick<Played, 'count' | 'per_second' | 'p50_ms' | 'p99_ms' | 'errors' | 'error_samples'> & {
  readonly line: Line;
  readonly round: number;
  /** Microseconds for each one; `service` is the bare server where that was asked. */
  readonly cpu_us: Cpu | undefined;
  readonly noise: Noise | undefined;
  readonly wal: Wal | undefined;
  /** pgbench: the second its ids begin with. */
  readonly seconds_hex: string | undefined;
  /** The reference: payments in a commit, and how many are really there. */
  readonly reference: { readonly batch: number; readonly paid: number } | undefined;
};

/** A process of the bench that takes messages and answers each. It ends with us. */
export class Helper {
  readonly pid: number;
  private readonly child: ChildProcess;
  private readonly gone: Promise<never>;

  constructor(script: 'load.ts' | 'ceiling.ts') {
    this.child = fork(join(import.meta.dirname, script), { stdio: 'inherit' });
    this.pid = this.child.pid ?? 0;
    this.gone = once(this.child, 'exit').then(() => {
      throw new Error(`${script} ended`);
    });
    this.gone.catch(() => undefined);
  }

  async tell<T>(message: Task | Answers): Promise<T> {
    this.child.send(message);
    const [answer] = (await Promise.race([once(this.child, 'message'), this.gone])) as [T];
    return answer;
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.disconnect();
    await gone;
  }
}

export type Stage = {
  readonly florin: Florin;
  readonly load: Helper;
  readonly bare: { readonly pid: number; readonly target: Target };
  readonly admin: pg.Client;
  readonly pgbench: { readonly found: Pgbench; readonly run: Omit<PgbenchRun, 'seconds'> } | undefined;
  readonly connections: number;
  /** Puts routing rules in force, or takes them away; done when the service goes by it. */
  rules(in_force: boolean): Promise<void>;
  /** Seconds of a line. */
  readonly seconds: Readonly<Record<Line, number>>;
};

/** Orders alone are quicker than whole flows: so many are made ready for each flow in the same time. */
const ORDERS_PER_FLOW = 3;
/** Of the most there was, for the line that is paced (P5). */
const PACE = 0.7;

export async function playRound(stage: Stage, round: number, flows_per_second: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const line of LINES) {
    if ((line === 'pgbench' || line === 'reference') && !stage.pgbench) continue;
    if (line === 'order') {
      const most = Math.ceil(stage.seconds.order * flows_per_second * ORDERS_PER_FLOW);
      await playTask(stage, { kind: 'prepare', seconds: stage.seconds.order * 2, most });
    }
    // the first flow of all pays for the pages that a checkpoint makes it write whole
    if (line === 'flow' && round === 0) await checkpoint(stage.admin);
    const flow = samples.findLast((sample) => sample.line === 'flow');
    const rate = PACE * (samples.findLast((sample) => sample.line === 'order')?.per_second ?? NaN);
    if (line === 'order, paced') {
      const most = Math.ceil(stage.seconds[line] * rate);
      await playTask(stage, { kind: 'prepare', seconds: stage.seconds[line] * 3, most });
    }
    if (line === 'flow, 40 rules') await stage.rules(true);
    samples.push(await measured(stage, line, { round, batch: batchOf(flow), rate }));
    if (line === 'flow, 40 rules') await stage.rules(false);
  }
  return samples;
}

/** Commits of a payment that has none in common with another: checkout, card, intent, sent, outcome. */
const COMMITS_ALONE = 5;

/** How many payments shared a commit just now. */
function batchOf(flow: Sample | undefined): number {
  const commits = flow?.wal ? flow.wal.commits / flow.count : COMMITS_ALONE;
  return Math.max(1, Math.round(COMMITS_ALONE / commits));
}

export function playTask(
  stage: Stage,
  task: Pick<Task, 'kind' | 'seconds' | 'most' | 'rate'>,
  bare = false,
): Promise<Played> {
  const target = bare ? stage.bare.target : stage.florin;
  return stage.load.tell<Played>({ ...task, target: { ...target }, connections: stage.connections });
}

type Reading = { readonly cpu: Cpu | undefined; readonly ours_us: number; readonly ticks: ReturnType<typeof ticks> };

function readAll({ florin, load, bare }: Stage, is_bare: boolean): Reading {
  const own = process.cpuUsage();
  const others = cpuOf(bare.pid, undefined)?.service ?? 0;
  const cpu = cpuOf(florin.pid, load.pid);
  const all = cpu ? cpu.service + cpu.simulator + cpu.postgres + cpu.load : 0;
  const ours_us = own.user + own.system + others + all + reapedUs('self');
  const shown = cpu && { ...cpu, ...(is_bare && { service: others }), load: cpu.load + reapedUs('self') };
  return { cpu: shown, ours_us, ticks: ticks() };
}

/** Lines whose WAL is read. */
const WRITES: ReadonlySet<Line> = new Set(['flow', 'flow, 40 rules', 'order', 'reference', 'pgbench']);

const PAYS: ReadonlySet<Line> = new Set(['order', 'order, paced', 'authorize', 'flow', 'flow, 40 rules', 'pgbench']);

type Turn = { readonly round: number; readonly batch: number; readonly rate: number };

async function measured(stage: Stage, line: Line, turn: Turn): Promise<Sample> {
  const is_bare = line.startsWith('bare ');
  const from = WRITES.has(line) ? await walPosition(stage.admin) : undefined;
  const before = readAll(stage, is_bare);
  const played = await playLine(stage, line, turn);
  // what follows the line's orders is the line's, not the next one's
  if (PAYS.has(line)) await followed(stage.admin);
  const after = readAll(stage, is_bare);
  const each = (group: keyof Cpu) => ((after.cpu?.[group] ?? 0) - (before.cpu?.[group] ?? 0)) / played.count;
  return {
    line,
    round: turn.round,
    ...played,
    cpu_us: before.cpu && {
      service: each('service'),
      simulator: each('simulator'),
      postgres: each('postgres'),
      load: each('load'),
    },
    noise: noiseOf(before.ticks, after.ticks, after.ours_us - before.ours_us),
    wal: from === undefined ? undefined : await walSince(stage.admin, from),
  };
}

async function playLine(
  stage: Stage,
  line: Line,
  { batch, rate }: Turn,
): Promise<Omit<Sample, 'line' | 'round' | 'cpu_us' | 'noise' | 'wal'>> {
  const seconds = stage.seconds[line];
  const unseen = { p50_ms: NaN, p99_ms: NaN, errors: 0, error_samples: [] };
  if (line === 'pgbench') {
    const { found, run } = pgbenchOf(stage);
    return { ...unseen, ...(await runPgbench(found, { ...run, seconds })), reference: undefined };
  }
  if (line === 'reference') {
    const { found, run } = pgbenchOf(stage);
    const before = await countReferencePaid(stage.admin);
    const played = await runReference(found, { ...run, seconds, batch });
    const paid = (await countReferencePaid(stage.admin)) - before;
    return { ...unseen, ...played, seconds_hex: undefined, reference: { batch, paid } };
  }
  if (line === 'order, paced')
    return {
      ...(await playTask(stage, { kind: 'order', seconds, rate })),
      seconds_hex: undefined,
      reference: undefined,
    };
  const kind = KIND_OF[line] ?? oneOfKinds(line);
  const played = await playTask(stage, { kind, seconds }, line.startsWith('bare '));
  return { ...played, seconds_hex: undefined, reference: undefined };
}

const KIND_OF: Readonly<Partial<Record<Line, Kind>>> = {
  'bare checkout': 'checkout',
  'bare token': 'token',
  'bare read': 'read',
  'flow, 40 rules': 'flow',
};

function oneOfKinds(line: Line): Kind {
  const kind = KINDS.find((one) => one === line);
  if (!kind) throw new Error(`${line} is no kind of load`);
  return kind;
}

function pgbenchOf({ pgbench }: Stage) {
  if (!pgbench) throw new Error('pgbench was found before');
  return pgbench;
}
