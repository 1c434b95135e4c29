// Two things compared by turns, A B B A again and again: a machine that changes its mind changes it for both. Of the
// ratios the median, and between which it would lie if other turns had been drawn.
import { seeded } from '../test/seeded.ts';
import { at } from './pace.ts';

export type Turns = {
  /** B by A of each four turns, and what two turns of A differ by: noise. */
  readonly ratios: readonly number[];
  readonly noise: readonly number[];
};

/** `measure` gives the figure of one turn. */
export async function byTurns(
  rounds: number,
  { turn, measure }: { turn(to: 'a' | 'b'): Promise<void>; measure(of: 'a' | 'b'): Promise<number> },
): Promise<Turns> {
  const [ratios, noise]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await turn('a');
    const first = await measure('a');
    await turn('b');
    const b = [await measure('b'), await measure('b')] as const;
    await turn('a');
    const last = await measure('a');
    ratios.push((b[0] + b[1]) / (first + last));
    noise.push(last / first);
  }
  return { ratios, noise };
}

export type Interval = { readonly median: number; readonly from: number; readonly to: number };

const DRAWS = 10_000;

/** The median with its interval of 95 in 100, by drawing as many of the values anew (bootstrap). */
export function intervalOf(values: readonly number[]): Interval {
  const random = seeded(1);
  const middle = (list: readonly number[]) =>
    at(
      list.toSorted((a, b) => a - b),
      0.5,
    );
  const drawn = Array.from({ length: DRAWS }, () =>
    middle(values.map(() => values[Math.floor(random() * values.length)] ?? NaN)),
  ).toSorted((a, b) => a - b);
  return { median: middle(values), from: at(drawn, 0.025), to: at(drawn, 0.975) };
}

export const intervalText = ({ median, from, to }: Interval): string =>
  `${median.toFixed(3)} (${from.toFixed(3)} to ${to.toFixed(3)})`;
