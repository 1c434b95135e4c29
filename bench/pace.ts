// Load that does not wait for answers, as payers do not wait for each other.

/** Begins so many a second, however many still wait, and gives how long each took from the moment it was due. */
export async function atRate(rate: number, seconds: number, one: () => Promise<void>): Promise<readonly number[]> {
  const took: number[] = [];
  const running: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < seconds * rate; n++) {
    const due = began + (n * 1000) / rate;
    const early = due - performance.now();
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    running.push(one().then(() => void took.push(performance.now() - due)));
  }
  await Promise.all(running);
  return took.toSorted((a, b) => a - b);
}

/** The value below which such a share of the sorted ones is. */
export const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

export const mean = (of: readonly number[]): number => of.reduce((sum, one) => sum + one, 0) / of.length;
