// Clock and chance: the one place they come from. Everything else gets them through `tools`.
import { createHmac, randomFillSync, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { makeId } from '../core/ids.ts';

export type Clock = {
  /** The present moment; in a sandbox it may be shifted for the whole deployment. */
  now(): Date;
  /** Milliseconds that only grow: for measuring, never for dates. */
  ticks(): number;
  /**
   * Milliseconds that only grow, and that a move of the sandbox's clock adds to: for how long something lives in
   * memory.
   */
  lived(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A sleep that is usually ended early: `done` comes after the time, or at once when it is ended. */
  timer(ms: number): { readonly done: Promise<void>; end(): void };
};

export type Chance = {
  bytes(length: number): Buffer;
  /** A new id of 24 hex characters (contract 2.11). */
  id(): string;
  /** A random UUID (version 4). */
  uuid(): string;
  /** A number from 0 to 1. In a sandbox the same for the same `about`, given the same seed (FLORIN_SANDBOX_SEED). */
  share(about: string): number;
};

/** A clock that is so far ahead of the real one; in production it stays at 0. */
export type DeploymentClock = Clock & {
  shift_ms(): number;
  /** Never back: after the first time that was set, an older one is ignored. */
  moveTo(shift_ms: number): void;
};

/** The clock of the whole deployment as one process knows it: it is given each move that was read from the database. */
export function systemClock(): DeploymentClock {
  let shift = 0;
  let told = false;
  return {
    shift_ms: () => shift,
    moveTo: (shift_ms) => {
      shift = told ? Math.max(shift, shift_ms) : shift_ms;
      told = true;
    },
    now: () => new Date(Date.now() + shift),
    ticks: () => performance.now(),
    lived: () => performance.now() + shift,
    sleep: async (ms, signal) => {
      await wait(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
        if (!signal?.aborted) throw error;
      });
    },
    timer: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timeout = setTimeout(resolve, ms);
      return {
        done: promise,
        end: () => {
          clearTimeout(timeout);
          resolve();
        },
      };
    },
  };
}

/**
 * Random bytes are drawn from a pool: one call to the system for many small wants. `seed`: of a sandbox
 * whose outcomes are to come again.
 */
export function systemChance(clock: Clock, seed = ''): Chance {
  const pool = Buffer.allocUnsafeSlow(4096);
  let used = pool.length;
  const bytes = (length: number): Buffer => {
    if (length > pool.length) return randomFillSync(Buffer.allocUnsafeSlow(length));
    if (used + length > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const taken = Buffer.from(pool.subarray(used, used + length));
    pool.fill(0, used, used + length);
    used += length;
    return taken;
  };
  const share = (about: string) => {
    const drawn = seed === '' ? bytes(4) : createHmac('sha256', seed).update(about).digest();
    return drawn.readUInt32BE(0) / 0xffff_ffff;
  };
  return { bytes, id: () => makeId(clock.now().getTime(), bytes(6)), uuid: () => randomUUID(), share };
}

/** Longer than any call can be on its way to a provider (`in_flight_s`). */
export const REMEMBERED_MS = 300_000;

/** What waits so much longer is not worth a word: clocks are set by seconds, and servers differ by seconds. */
const SET_BACK_MS = 60_000;

/** The database's clock was ahead of ours by no more than this. `until`: when that is forgotten. */
type Look = { readonly most: number; until: number };

/**
 * How the database's clock goes beside the clock of this process that only grows. An age that decides about money is a
 * difference of two moments of the database: where the clock of its machine was set forward between them, as after the
 * machine stood still, less time has passed than they say.
 */
export class ClockWatch {
  private readonly ticks: () => number;
  /** Each with a greater `most` than those before; the newest is always there. */
  private readonly looks: Look[] = [];
  /** At the newest look the database's clock was ahead of ours by no less than this. */
  private least = 0;
  private back_ms = 0;
  private began = Number.NEGATIVE_INFINITY;

  constructor(ticks: () => number) {
    this.ticks = ticks;
  }

  /** `read`: asks for the database's time, in milliseconds. */
  async look(read: () => Promise<number>): Promise<void> {
    const before = this.ticks();
    this.saw(await read(), before);
  }

  /** By how much the database's clock was set forward since the looks that are remembered, for all we know. */
  setForward_ms(): number {
    return Math.max(0, this.least - (this.looks[0]?.most ?? this.least));
  }

  /** By how much it was set back since that was last done with; a little is nothing. */
  setBack_ms(): number {
    return this.back_ms;
  }

  doneWithSetBack(by_ms: number): void {
    this.back_ms -= by_ms;
  }

  private saw(now_ms: number, before: number): void {
    // one that began later was quicker: it knows more
    if (before < this.began) return;
    this.began = before;
    const after = this.ticks();
    const most = now_ms - before;
    const back_ms = this.looks.length === 0 ? 0 : this.least - most;
    if (back_ms >= SET_BACK_MS) this.back_ms += back_ms;
    // what was so until this look is remembered from now on: no look may have been possible for long
    const last = this.looks.at(-1);
    if (last) last.until = after + REMEMBERED_MS;
    while ((this.looks.at(-1)?.most ?? most - 1) >= most) this.looks.pop();
    this.looks.push({ most, until: Number.POSITIVE_INFINITY });
    while ((this.looks[0]?.until ?? after) < after) this.looks.shift();
    this.least = now_ms - after;
  }
}
