// What a process that handles money and cards must never do (docs/hardening.md): go on after an unexpected error, write
// its memory to a disk, or let a debugger in.
import { readFileSync } from 'node:fs';
import type { Log } from '../log.ts';
import { LIMITS_NOW } from './descriptors.ts';

/** Ends the service after an uncaught error: logged first, then no new work, then exit 1. */
export function guardProcess(log: Log, fail: (error: Error) => void): void {
  let failed = false;
  const end = (kind: string) => (reason: unknown) => {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    log.error({ kind, error: error.message, stack: error.stack }, 'an unexpected error');
    // what breaks while it ends is logged, and changes nothing
    if (!failed) fail(new Error('Florin met an unexpected error, and stops: see the log.', { cause: error }));
    failed = true;
  };
  process.on('uncaughtException', end('uncaughtException'));
  process.on('unhandledRejection', end('unhandledRejection'));
}

/** No diagnostic reports; a report that is forced does not show the environment, where secrets are. */
export function closeReports(): void {
  if (!process.report) return;
  process.report.reportOnFatalError = false;
  process.report.reportOnUncaughtException = false;
  process.report.excludeEnv = true;
}

/** The options with which bin/florin.mjs starts the hosts; a test compares the two. */
export const HARD_OPTIONS = [
  '--disable-sigusr1',
  '--disable-proto=delete',
  '--report-exclude-env',
  '--secure-heap=65536',
] as const;

/**
 * The options for a process. Those that leave no memory for hashing passwords are left out if people sign in and no
 * other process may be started.
 */
export function hardOptionsFor({ hashes_passwords }: Pick<Process, 'hashes_passwords'>): readonly string[] {
  return HARD_OPTIONS.filter((option) => hashes_passwords !== true || !option.startsWith('--secure-heap'));
}

/**
 * Options that write memory, traffic or secrets somewhere, open a debugger, run other code first, or weaken TLS or
 * HTTP.
 */
const UNSAFE =
  /^--(?:inspect|debug|heapsnapshot|heap-prof|cpu-prof|prof|report-on|abort-on-uncaught|experimental-loader|loader|import|require|insecure|tls-min-v1\.[01]|tls-max-v1\.[01]|tls-keylog|trace-tls|enable-network-family|env-file)|^-r$/;

type Process = {
  readonly options: readonly string[];
  /** NODE_OPTIONS. */
  readonly inherited: string;
  /** /proc/self/limits; undefined where there is none. */
  readonly limits: string | undefined;
  /** A host alone, which starts no other program. */
  readonly confined: boolean;
  /** A payment host alone: argon2 takes its memory from the secure heap where there is one. */
  readonly hashes_passwords?: boolean;
};

/** The reasons why this process is not fit for production: clauses for the person who starts it. */
export function processProblems(process_of: Process): readonly string[] {
  const { options, inherited, limits, confined } = process_of;
  const all = [...options, ...inherited.split(/\s+/)];
  const unsafe = all.filter((option) => UNSAFE.test(option)).map((option) => option.replace(/=.*/, ''));
  const wanted = [...hardOptionsFor(process_of), ...(confined ? ['--permission'] : [])];
  const missing = wanted.filter((option) => !all.includes(option));
  const core = limits === undefined ? undefined : /^Max core file size\s+(\S+)/m.exec(limits)?.[1];
  return [
    ...unsafe.map((option) => `Node runs with ${option}, which must not be in production`),
    ...missing.map((option) => `Node runs without ${option}: start Florin through bin/florin.mjs`),
    ...(core === undefined || core === '0'
      ? []
      : ['a crash would write memory to disk: set the limit of core files to 0 (ulimit -c 0, or LimitCORE=0)']),
  ];
}

/** The same clauses about this process itself. */
export function ownProblems(inherited: string, own: Pick<Process, 'confined' | 'hashes_passwords'>): readonly string[] {
  return processProblems({ options: process.execArgv, inherited, limits: ownLimits(), ...own });
}

function ownLimits(): string | undefined {
  try {
    return readFileSync(LIMITS_NOW, 'utf8');
  } catch {
    // not Linux: the system's own settings hold there, and nothing can be read
    return undefined;
  }
}
