// Stalls: something stands still or fails for a while and then goes on: a backend of the database, the bank, a full
// disk under one table, the merchant's own server. Each has a limit, and is noted in the schedule.
import type { Arena } from './arena.ts';
import type { Chance } from './chance.ts';
import type { Mood } from './receiver.ts';

export type Stalling = {
  readonly arena: Arena;
  readonly chance: Chance;
  /** Longest stop of a backend, and longest time of a full disk. */
  readonly longest_ms: number;
  goes(): boolean;
  /** Done after so long, or when the faults end. */
  sleep(ms: number): Promise<void>;
  note(what: string): void;
};

/**
 * The bank promises what it has not done after 3 s it never does: late commits come after 2.3 s, and it stands still
 * for less.
 */
const BANK_MS = 400;
const EVERY_MS = [3_000, 6_000] as const;
const MOOD_MS = [700, 3_500] as const;

/** Tables that a commit of money writes to: on a full disk it is one of them that cannot grow first. */
const TABLES = [
  'payment.orders',
  'payment.operations',
  'payment.observations',
  'payment.events',
  'payment.ledger_entries',
  'payment.notifications',
  'payment.idempotency_keys',
  'vault.forwards',
] as const;

/** Plays one stall after the other, until the faults are over. */
export async function stall(stalling: Stalling): Promise<void> {
  const { chance, goes, sleep } = stalling;
  const kinds = [stopBackend, stopBackend, stopBank, fillDisk] as const;
  while (goes()) {
    await sleep(chance.between(...EVERY_MS));
    if (goes()) await chance.pick(kinds)(stalling);
  }
}

/** SIGSTOP in the middle of a statement, where one is running: it holds its locks meanwhile. */
async function stopBackend({ arena, chance, longest_ms, note }: Stalling): Promise<void> {
  const pid = await arena.postgres.busyBackend();
  if (pid === undefined) return;
  const ms = chance.between(200, longest_ms);
  note(`stop a backend for ${ms} ms`);
  if (!signal(pid, 'SIGSTOP')) return;
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal(pid, 'SIGCONT');
}

/** False: it is gone, as after a crash of the server. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function stopBank({ arena, chance, note }: Stalling): Promise<void> {
  const ms = chance.between(50, BANK_MS);
  note(`stop bank for ${ms} ms`);
  arena.bank.freeze();
  await new Promise((resolve) => setTimeout(resolve, ms));
  arena.bank.thaw();
}

/** Every write to one table fails as it does where no byte can be written any more. */
async function fillDisk({ arena, chance, longest_ms, note, sleep }: Stalling): Promise<void> {
  const table = chance.pick(TABLES);
  const ms = chance.between(200, longest_ms);
  note(`full disk at ${table} for ${ms} ms`);
  await arena.postgres.fill(table);
  await sleep(ms);
  await arena.postgres.makeRoom(table);
}

/** The merchant's server changes how it stands, again and again; well at the end. */
export async function ail({ arena, chance, goes, sleep }: Stalling, moods: readonly Mood[]): Promise<void> {
  while (goes()) {
    await arena.receiver.be(chance.isLucky(0.4) ? 'well' : chance.pick(moods));
    await sleep(chance.between(...MOOD_MS));
  }
}
