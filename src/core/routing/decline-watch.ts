// Does a contract decline more than it should? It is compared with the other contracts of its account, for the same
// scheme and time. Rates also change for reasons that affect all contracts, so an alarm is only a suspicion: what acts
// is the comparison. Pure: counts and the time go in, new states come out. Seeded tests hold the figures.
import {
  SPREAD_MS,
  type ShareState,
  type WayBack,
  WORST,
  changedTo,
  halfFrom,
  isOneOf,
  mayChange,
  recent,
  testOf,
  tested,
} from './way-back.ts';

export type DeclineState = Exclude<ShareState, 'open'>;
export type DeclineCounts = { readonly seen: number; readonly bad: number };

/** What is watched of one contract with one scheme. */
export type DeclineWatch = WayBack<DeclineState> & {
  /** The cumulated sum: its own rate against four times its odds. */
  readonly sum: number;
  /** How many of its payments it declines, learnt from so many of them. */
  readonly rate: number;
  readonly learnt: number;
  /** Since it is suspected: its own, and those of the others with what their own rates would have made of them. */
  readonly own: DeclineCounts;
  readonly others: DeclineCounts & { readonly usual: number };
  /** The rate of declines at which the alarm was raised. */
  readonly alarm: number;
};

const NONE = { seen: 0, bad: 0 };

export const UNWATCHED: DeclineWatch = {
  state: 'closed',
  since_ms: 0,
  dwell_ms: 0,
  back: 0,
  back_bad: false,
  changes: [],
  sum: 0,
  rate: 0.15,
  learnt: 0,
  own: NONE,
  others: { ...NONE, usual: 0 },
  alarm: 0,
};

/** Bad is odds of so many times its own. */
const FACTOR = 4;
const ALARM = 12;
/** The usual rate of declines is learnt from about this many payments, faster from the first ones. */
const MEMORY = 5000;
const FIRST = 50;
const LEAST_RATE = 0.05;
const MOST_RATE = 0.6;
/** So many of each before a comparison says anything. */
const OWN_LEAST = 15;
const OTHERS_LEAST = 10;
/** Standard errors by which it differs from the others, and from odds of twice theirs. */
const DIFFERS = 3;
const DIFFERS_BY_ODDS = 2;
const ODDS = Math.log(2);
/** Cleared after so many payments of all, or so many of each without a difference. */
const CLEARED_AFTER = 400;
const CLEARED_EACH = 60;
/** At a suspicion that came to nothing its rate is half of what was seen. */
const RELEARNT = 0.5;

export type DeclineWatches = Readonly<Record<string, DeclineWatch>>;

/** The watches of one account's contracts with one scheme, by contract, after these payments. */
export function watchedDeclines(
  watches: DeclineWatches,
  counts: Readonly<Record<string, DeclineCounts>>,
  now_ms: number,
): DeclineWatches {
  const before: Record<string, DeclineWatch> = { ...watches };
  for (const id of Object.keys(counts)) before[id] ??= UNWATCHED;
  const known = Object.entries(before);
  // the rate of a time in which all of them have trouble is no usual rate
  const learns = known.every(([, { state }]) => state !== 'suspected');
  const after = known.map(([id, watch]): Known => {
    const others = () => othersOf(id, known, counts);
    return [id, watchedOne(watch, { counts: counts[id] ?? NONE, others, learns, now_ms })];
  });
  // nothing is cleared where nothing was suspected
  return Object.fromEntries(learns ? after : relearnt(before, after));
}

type Known = readonly [string, DeclineWatch];

/** The other contracts that could take the payments; a contract that gets none itself is left out. */
function othersOf(
  id: string,
  watches: readonly Known[],
  counts: Readonly<Record<string, DeclineCounts>>,
): DeclineWatch['others'] {
  let [seen, bad, usual] = [0, 0, 0];
  for (const [other, { state, rate }] of watches) {
    const of_other = counts[other];
    if (!of_other || other === id || state === 'half') continue;
    seen += of_other.seen;
    bad += of_other.bad;
    usual += of_other.seen * rate;
  }
  return { seen, bad, usual };
}

type Looking = {
  readonly counts: DeclineCounts;
  /** Asked for where it is compared with them. */
  others(): DeclineWatch['others'];
  readonly learns: boolean;
  readonly now_ms: number;
};

function watchedOne(before: DeclineWatch, looking: Looking): DeclineWatch {
  const { counts, learns, now_ms } = looking;
  const watch = { ...before, changes: recent(before.changes, now_ms) };
  const { state } = watch;
  if (state === 'suspected') return compared(watch, looking);
  if (state === 'half') return comingBack({ ...watch, state }, counts, now_ms);
  const seen = cumulated(watch, counts, learns);
  // suspected and cleared, or suspected and left: two changes more
  if (seen.sum > ALARM && mayChange(seen, 2))
    return { ...seen, ...changedTo(seen, 'suspected', now_ms), own: NONE, others: UNWATCHED.others, sum: 0 };
  const is_over = state === 'spread' && now_ms - watch.since_ms >= SPREAD_MS;
  return is_over ? { ...seen, ...changedTo(seen, 'closed', now_ms) } : seen;
}

const within = (rate: number) => Math.min(MOST_RATE, Math.max(LEAST_RATE, rate));
const worse = (rate: number, factor: number) => (rate * factor) / (1 - rate + rate * factor);

function cumulated(watch: DeclineWatch, { seen, bad }: DeclineCounts, learns: boolean): DeclineWatch {
  let { sum, rate, learnt } = watch;
  for (let i = 0; i < seen && sum <= ALARM; i++) {
    const is_bad = isOneOf(i, bad, seen);
    const usual = within(rate);
    const test = testOf(usual, worse(usual, FACTOR));
    sum = Math.max(0, sum + (is_bad ? test.bad : test.good));
    if (!learns || watch.state !== 'closed' || sum >= ALARM / 2) continue;
    learnt = Math.min(MEMORY, learnt + 1);
    rate += ((is_bad ? 1 : 0) - rate) / Math.min(learnt + FIRST, MEMORY);
  }
  return { ...watch, sum, rate, learnt };
}

/** Is it the contract, or is it the day? */
function compared(watch: DeclineWatch, { counts, others: beside, now_ms }: Looking): DeclineWatch {
  const more = beside();
  const own = { seen: watch.own.seen + counts.seen, bad: watch.own.bad + counts.bad };
  const others = {
    seen: watch.others.seen + more.seen,
    bad: watch.others.bad + more.bad,
    usual: watch.others.usual + more.usual,
  };
  const now = { ...watch, own, others };
  if (own.seen < OWN_LEAST || others.seen < OTHERS_LEAST) {
    // without others to compare it with nothing is acted on
    return own.seen + others.seen >= CLEARED_AFTER ? cleared(now, now_ms) : now;
  }
  const { by, error } = difference(now);
  if (by >= DIFFERS * error && by - ODDS >= DIFFERS_BY_ODDS * error) {
    const alarm = Math.min(WORST, Math.max(own.bad / own.seen, worse(within(now.rate), 2)));
    return { ...now, ...halfFrom(now, now_ms), alarm, sum: 0 };
  }
  const no_difference = own.seen >= CLEARED_EACH && others.seen >= CLEARED_EACH && by < error;
  return no_difference || own.seen + others.seen >= CLEARED_AFTER ? cleared(now, now_ms) : now;
}

const logOdds = (rate: number) => Math.log(rate / (1 - rate));

/** In log odds, beyond what the two differ by usually. */
function difference({ own, others, rate }: DeclineWatch): { readonly by: number; readonly error: number } {
  const cells = [own.bad, own.seen - own.bad, others.bad, others.seen - others.bad].map((n) => n + 0.5);
  const [bad = 1, good = 1, others_bad = 1, others_good = 1] = cells;
  const usual = logOdds(within(rate)) - logOdds(within(others.usual / others.seen));
  const by = Math.log(bad / good) - Math.log(others_bad / others_good) - usual;
  return { by, error: Math.sqrt(cells.reduce((sum, n) => sum + 1 / n, 0)) };
}

function cleared(watch: DeclineWatch, now_ms: number): DeclineWatch {
  const { rate, own } = watch;
  const seen = rate + RELEARNT * (own.bad / Math.max(1, own.seen) - rate);
  return { ...watch, ...changedTo(watch, 'closed', now_ms), rate: seen, sum: 0 };
}

/** The others learn from it too when a suspicion came to nothing. */
function relearnt(before: DeclineWatches, after: readonly Known[]): readonly Known[] {
  const is_cleared = (id: string, { state }: DeclineWatch) => state === 'closed' && before[id]?.state === 'suspected';
  const [, by] = after.find(([id, watch]) => is_cleared(id, watch) && watch.others.seen > 0) ?? [];
  if (!by) return after;
  const { seen, bad, usual } = by.others;
  const moved = (RELEARNT * (bad - usual)) / seen;
  return after.map(([id, watch]) =>
    watch.state === 'closed' && !is_cleared(id, watch)
      ? ([id, { ...watch, rate: Math.min(1, Math.max(0, watch.rate + moved)) }] as const)
      : ([id, watch] as const),
  );
}

/** The test on the way back: is the rate the usual one, or the one at which the contract was left? */
function comingBack(watch: DeclineWatch & WayBack<'half'>, { seen, bad }: DeclineCounts, now_ms: number): DeclineWatch {
  const { alarm, rate } = watch;
  const { says, ...back } = tested(watch, { seen, wrong: bad, usual: within(rate), alarm }, now_ms);
  if (says === 'bad') return { ...watch, ...halfFrom(watch, now_ms) };
  return says === 'well'
    ? { ...watch, ...changedTo(watch, 'spread', now_ms), back: 0, back_bad: false }
    : { ...watch, ...back };
}
