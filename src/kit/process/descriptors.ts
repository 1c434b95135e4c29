// How many files and connections this process has open, and how many it may. Where none is left, the system takes each
// connection that comes and closes it at once, and Node says nothing of it: nobody would see it but the callers.
import { readFileSync, readdirSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { gauge } from '../metrics/registry.ts';
import { tellerOf } from '../teller.ts';

/** What the permissions of a host must allow to be read (src/hosts/permissions.ts). */
export const OPEN_NOW = '/proc/self/fd';
export const LIMITS_NOW = '/proc/self/limits';

const LOOKED_AT_EVERY_MS = 2000;
/** The share that is kept free before it is said. */
const FREE_SHARE = 0.05;

export type Descriptors = { readonly open: number; readonly limit: number };

type Source = { readonly limits: () => string; readonly open: () => number };

const OWN: Source = {
  limits: () => readFileSync(LIMITS_NOW, 'utf8'),
  // less the one that the list itself takes
  open: () => readdirSync(OPEN_NOW).length - 1,
};

/** The limit of a process; Node raises it to the hard one as it starts. */
export function limitIn(limits: string): number | undefined {
  const [, soft] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return soft === undefined ? undefined : Number(soft);
}

/** The limit of this process; undefined: not Linux, and nothing can be read. */
export function ownLimit({ limits }: Pick<Source, 'limits'> = OWN): number | undefined {
  try {
    return limitIn(limits());
  } catch {
    return undefined;
  }
}

/** Undefined where the system does not tell. */
function look(limit: number | undefined, { open }: Source): Descriptors | undefined {
  if (limit === undefined) return undefined;
  try {
    return { open: open(), limit };
  } catch (error) {
    // to look takes one, too
    return isUsedUp(error) ? { open: limit, limit } : undefined;
  }
}

function isUsedUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

const opened = gauge('florin_open_files', 'Files and connections that the process has open');
const allowed = gauge('florin_open_files_limit', 'Files and connections that the process may have open at once');

let last: Descriptors | undefined;

/** The word of /ready: `ok`, or that none is left, and so no caller can come in. */
export function descriptorState(): string {
  return last && last.open >= last.limit ? `none left of ${last.limit}` : 'ok';
}

/** Looks every two seconds, and says it in the log while nearly none is left. Answers what ends that. */
export function watchDescriptors(tools: { readonly clock: Pick<Clock, 'ticks'>; readonly log: Log }, source = OWN) {
  const teller = tellerOf(tools, {
    trouble: 'connections are closed unanswered where no file descriptor is left: raise LimitNOFILE (ulimit -n)',
    over: 'there are file descriptors again',
  });
  let limit: number | undefined;
  const round = () => {
    // it may be changed from outside; where none is left it cannot be read
    limit = ownLimit(source) ?? limit;
    last = look(limit, source);
    if (last === undefined) return;
    const few = last.limit * (1 - FREE_SHARE);
    // the same words each time: the number is in the metrics
    if (last.open >= few) teller.troubled(`nearly all ${last.limit} are taken`);
    else teller.well();
  };
  round();
  const timer = setInterval(round, LOOKED_AT_EVERY_MS).unref();
  const ends = [
    opened.from(() => (last ? [[{}, last.open]] : [])),
    allowed.from(() => (last && Number.isFinite(last.limit) ? [[{}, last.limit]] : [])),
  ];
  return () => {
    clearInterval(timer);
    last = undefined;
    for (const end of ends) end();
  };
}
