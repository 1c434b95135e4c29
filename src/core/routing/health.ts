// How a provider is, from what its calls came to: sequential tests, and the states between "takes everything" and "takes nothing".
// Pure: counts and the time go in, a new state comes out. The figures were simulated, and seeded tests hold them.

export type HealthState = 'closed' | 'open' | 'half' | 'spread';

/** Log likelihood ratios of one good and one bad call: in control against out of control. */
type Test = { readonly good: number; readonly bad: number };

function testOf(in_control: number, out: number): Test {
  return { good: Math.log((1 - out) / (1 - in_control)), bad: Math.log(out / in_control) };
}

/** Unanswered calls: 1 in 100 is usual, 1 in 10 is not. Slow ones: 2 in 100, 20 in 100. */
const USUAL = { technical: 0.01, slow: 0.02 } as const;
const OUT = { technical: 0.1, slow: 0.2 } as const;
export const WATCHES = ['technical', 'slow'] as const;
export type WatchName = (typeof WATCHES)[number];
const TESTS: Readonly<Record<WatchName, Test>> = {
  technical: testOf(USUAL.technical, OUT.technical),
  slow: testOf(USUAL.slow, OUT.slow),
};
/** Above it a cumulated sum is an alarm: once in millions of calls where all is well. */
const ALARM = 12;

/** Of a wrong end of the test that a provider takes when it comes back: 1 in 100 either way. */
const DECIDED = Math.log(99);
/** What was seen at the alarm is no more certain than this. */
const WORST = 0.95;

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
/** After an alarm nothing is concluded for a while, and for twice as long each time within an hour. */
const DWELL_MS = 30 * SECOND_MS;
const MOST_DWELL_MS = 900 * SECOND_MS;
/** Where too few payments come to decide, this long without a bad one is enough. */
const PATIENCE_MS = 600 * SECOND_MS;
const SPREAD_MS = 60 * SECOND_MS;
/** So many changes in an hour at most: where the way back would be more, it stays half until the hour is over. */
const MOST_CHANGES = 4;
/** One payment in twenty, while it is half. */
const HALF_SHARE = 1 / 20;

export type Counts = { readonly seen: number; readonly bad: number; readonly slow: number };

export type Watch = {
  readonly state: HealthState;
  readonly since_ms: number;
  /** The cumulated sums. */
  readonly sums: Readonly<Record<WatchName, number>>;
  /** What raised the alarm, and how often it was seen then: the test on the way back is against that. */
  readonly alarm: { readonly watch: WatchName; readonly rate: number } | null;
  readonly dwell_ms: number;
  /** The sum of the test on the way back, and whether a bad call was among them. */
  readonly back: number;
  readonly back_bad: boolean;
  /** Calls since the sums last stood at 0, to tell a rate. */
  readonly run: Counts;
  /** When it changed within the last hour. */
  readonly changes: readonly number[];
};

export const WELL: Watch = {
  state: 'closed',
  since_ms: 0,
  sums: { technical: 0, slow: 0 },
  alarm: null,
  dwell_ms: 0,
  back: 0,
  back_bad: false,
  run: { seen: 0, bad: 0, slow: 0 },
  changes: [],
};

/** What is left of new payments for a provider in a state, from 0 to 1. */
export function shareOf({ state, since_ms }: Pick<Watch, 'state' | 'since_ms'>, now_ms: number): number {
  switch (state) {
    case 'closed':
      return 1;
    case 'open':
      return 0;
    case 'half':
      return HALF_SHARE;
    case 'spread':
      return Math.min(1, HALF_SHARE + (1 - HALF_SHARE) * ((now_ms - since_ms) / SPREAD_MS));
  }
}

/** The watch after these calls. */
export function watched(watch: Watch, counts: Counts, now_ms: number): Watch {
  const now = { ...watch, changes: watch.changes.filter((at) => at > now_ms - HOUR_MS) };
  if (now.state === 'open') return now;
  if (now.state === 'half') return comingBack(now, counts, now_ms);
  const seen = cumulated(now, counts);
  const alarmed = WATCHES.find((name) => seen.sums[name] > ALARM);
  if (alarmed) return toHalf(seen, { watch: alarmed, rate: rateOf(alarmed, seen.run) }, now_ms);
  return now.state === 'spread' && now_ms - now.since_ms >= SPREAD_MS ? changed(seen, 'closed', now_ms) : seen;
}

/** Calls one after the other, the bad ones spread evenly among them: in which order they came is not known. */
function cumulated(watch: Watch, { seen, bad, slow }: Counts): Watch {
  const sums = { ...watch.sums };
  const wrong: Readonly<Record<WatchName, number>> = { technical: bad, slow };
  for (const name of WATCHES) {
    const { good, bad: step } = TESTS[name];
    for (let i = 0; i < seen && sums[name] <= ALARM; i++)
      sums[name] = Math.max(0, sums[name] + (isOneOf(i, wrong[name], seen) ? step : good));
  }
  const quiet = sums.technical === 0 && sums.slow === 0;
  const { run } = watch;
  return {
    ...watch,
    sums,
    run: quiet ? WELL.run : { seen: run.seen + seen, bad: run.bad + bad, slow: run.slow + slow },
  };
}

const isOneOf = (i: number, wrong: number, all: number) =>
  Math.floor(((i + 1) * wrong) / all) > Math.floor((i * wrong) / all);

function rateOf(name: WatchName, { seen, bad, slow }: Counts): number {
  const rate = (name === 'technical' ? bad : slow) / Math.max(1, seen);
  return Math.min(WORST, Math.max(OUT[name], rate));
}

/** The test between what is usual and what was seen at the alarm; it begins when the dwell is over. */
function comingBack(watch: Watch, counts: Counts, now_ms: number): Watch {
  const { alarm, since_ms, dwell_ms } = watch;
  const waited = now_ms - since_ms;
  if (waited < dwell_ms) return watch;
  const { watch: name, rate } = alarm ?? { watch: 'technical', rate: WORST };
  const wrong = name === 'technical' ? counts.bad : counts.slow;
  const { good, bad } = testOf(USUAL[name], rate);
  const back = watch.back + (counts.seen - wrong) * good + wrong * bad;
  const back_bad = watch.back_bad || wrong > 0;
  if (back >= DECIDED) return toHalf(watch, { watch: name, rate }, now_ms);
  const well = back <= -DECIDED || (waited >= dwell_ms + PATIENCE_MS && !back_bad);
  // the way back is two changes more
  return well && watch.changes.length + 2 <= MOST_CHANGES
    ? changed({ ...watch, back: 0, back_bad: false }, 'spread', now_ms)
    : { ...watch, back, back_bad };
}

/** Half from now on: by an alarm, or because it is still not well. */
function toHalf(watch: Watch, alarm: Watch['alarm'], now_ms: number): Watch {
  const again = watch.dwell_ms > 0 && (watch.state === 'half' || watch.changes.length > 0);
  const dwell_ms = again ? Math.min(MOST_DWELL_MS, watch.dwell_ms * 2) : DWELL_MS;
  const half = watch.state === 'half' ? { ...watch, since_ms: now_ms } : changed(watch, 'half', now_ms);
  return { ...half, alarm, dwell_ms, back: 0, back_bad: false, sums: WELL.sums, run: WELL.run };
}

/** Calls went unanswered one after the other: nothing new is sent to it until it answers a probe. */
export function opened(watch: Watch, now_ms: number): Watch {
  if (watch.state === 'open') return watch;
  const alarm = { watch: 'technical', rate: WORST } as const;
  return { ...changed(watch, 'open', now_ms), alarm, sums: WELL.sums, run: WELL.run };
}

/** It has answered a probe. */
export function answered(watch: Watch, now_ms: number): Watch {
  return watch.state === 'open' ? toHalf(watch, watch.alarm, now_ms) : watch;
}

function changed(watch: Watch, state: HealthState, now_ms: number): Watch {
  const changes = [...watch.changes.filter((at) => at > now_ms - HOUR_MS), now_ms];
  return { ...watch, state, since_ms: now_ms, changes };
}

/** The 95th percentile of how long calls take, learnt call by call: the last thousands count. */
export function learntLatency(before_ms: number, ms: number): number {
  const learnt = before_ms * Math.exp(LEARNT * (ms > before_ms ? 0.95 : -0.05));
  return Math.max(1, learnt);
}
const LEARNT = 0.002;

const SLOW_MS = 2000;

/** Slower than that is slow for this provider. */
export const slowAfter = (latency_ms: number): number => Math.max(SLOW_MS, 2 * latency_ms);
