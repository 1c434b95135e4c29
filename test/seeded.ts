// Numbers that look drawn and are the same for the same seed, so that what a run found can be found again.

export type Random = () => number;

/** Gives numbers from 0 up to 1 (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of these. */
export const pick = <T>(draw: Random, from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T;
