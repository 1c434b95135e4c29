// Estimates what other rules would have approved, from orders whose contract was drawn by chance: self-normalised
// weights of their propensities (SNIPS). A number is not shown if the sample is too small for it. Pure; the sums can be
// added up part by part.

/** `w`: the chance under the new rules by the chance under those of then. */
export type SnipsSums = {
  /** First attempts with an outcome whose choice could be made again. */
  readonly orders: number;
  /** The real value of what is estimated: approvals, or what the orders cost. */
  readonly y: number;
  readonly w: number;
  readonly w2: number;
  readonly wy: number;
  readonly w2y: number;
  readonly w2yy: number;
  /** Orders that the new rules may send where nothing of theirs went, or whose fallback they change. */
  readonly unseen: number;
};

export const NO_ORDERS: SnipsSums = { orders: 0, y: 0, w: 0, w2: 0, wy: 0, w2y: 0, w2yy: 0, unseen: 0 };

export function addedSums(a: SnipsSums, b: SnipsSums): SnipsSums {
  return {
    orders: a.orders + b.orders,
    y: a.y + b.y,
    w: a.w + b.w,
    w2: a.w2 + b.w2,
    wy: a.wy + b.wy,
    w2y: a.w2y + b.w2y,
    w2yy: a.w2yy + b.w2yy,
    unseen: a.unseen + b.unseen,
  };
}

type Chances = ReadonlyMap<string, number>;

type Drawn = {
  /** How likely each contract came first then, and would now. */
  readonly then: Chances;
  readonly now: Chances;
  /** The result by the new rules. Absent: the same as before; undefined: it is not known. */
  readonly y?: number | undefined;
};

/** Adds one order to the sums: the contract it went to, and its result (approved: 1). */
export function sumsOf(chosen: string, y: number, drawn: Drawn): SnipsSums {
  const { then, now } = drawn;
  const would = 'y' in drawn ? drawn.y : y;
  const weight = (now.get(chosen) ?? 0) / (then.get(chosen) ?? 1);
  const elsewhere = [...now].some(([id, chance]) => chance > 0 && (then.get(id) ?? 0) === 0);
  const weighed = weight * (would ?? y);
  return {
    orders: 1,
    y,
    w: weight,
    w2: weight ** 2,
    wy: weighed,
    w2y: weight * weighed,
    w2yy: weighed ** 2,
    unseen: elsewhere || (would === undefined && weight > 0) ? 1 : 0,
  };
}

/**
 * The sample is worth so many orders that all went as the new rules say; with fewer the interval is not what it says.
 */
export const LEAST_EFFECTIVE = 200;
/** More than this share of orders that could not be judged spoils the number. */
const MOST_UNSEEN = 0.02;
const Z95 = 1.959_964;
/** The share for which it is said how long it would take. */
export const TRIED_SHARE = 0.02;

export type Judged = {
  /** The rate of the same orders, as they really went. */
  readonly then: number;
  readonly rate: number;
  readonly from: number;
  readonly to: number;
  readonly effective: number;
};
export type Unjudged = {
  readonly why: 'none' | 'unseen' | 'few';
  readonly effective: number;
  /** Share of the orders that would go where none of theirs went. */
  readonly unseen: number;
  /** Orders that it takes where each contract is drawn for TRIED_SHARE of them. */
  readonly needed: number;
};

/**
 * A mean with its interval of about 95 in 100, or why there is none. `most`: above it there is nothing; of a rate 1.
 */
export function judge(sums: SnipsSums, most = 1): Judged | Unjudged {
  const { orders, y, w, w2, wy, w2y, w2yy, unseen } = sums;
  const effective = w2 === 0 ? 0 : w ** 2 / w2;
  const missing = { effective, unseen: orders === 0 ? 0 : unseen / orders, needed: LEAST_EFFECTIVE / TRIED_SHARE };
  if (orders === 0) return { why: 'none', ...missing };
  if (unseen > MOST_UNSEEN * orders) return { why: 'unseen', ...missing };
  if (effective < LEAST_EFFECTIVE) return { why: 'few', ...missing };
  const rate = wy / w;
  // Σ w²(y − rate)²
  const half = (Z95 * Math.sqrt(Math.max(0, w2yy - 2 * rate * w2y + rate ** 2 * w2))) / w;
  return { then: y / orders, rate, from: Math.max(0, rate - half), to: Math.min(most, rate + half), effective };
}
