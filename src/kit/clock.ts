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
