// Chance from a seed: each part of a run draws from a stream of its own, so that what one part does changes nothing for
// another.
import { createHash } from 'node:crypto';
import { seeded } from '../seeded.ts';

export type Chance = {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True that often: 0.25 is one time in four. */
  isLucky(part: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
  /** Random hex, for references. */
  hex(length: number): string;
};

export function chanceOf(seed: string, stream: string): Chance {
  const next = seeded(createHash('sha256').update(`${seed}|${stream}`).digest().readUInt32LE(0));
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[between(0, list.length - 1)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  };
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((value) => ({ value, at: next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ value }) => value);
  const hex = (length: number) => Array.from({ length }, () => between(0, 15).toString(16)).join('');
  return { next, between, isLucky: (part) => next() < part, pick, shuffled, hex };
}
