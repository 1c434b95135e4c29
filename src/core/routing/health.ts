// The health of a provider, from the results of its calls: sequential tests, and the states between "takes everything"
// and "takes nothing". Pure: counts and the time go in, a new state comes out. The figures were simulated, and seeded
// tests hold them.
import {
  SPREAD_MS,
  type ShareState,
  type Test,
  type WayBack,
  WORST,
  changedTo,
  halfFrom,
  isOneOf,
  recent,
  testOf,
  tested,
} from './way-back.ts';

export type HealthState = Exclude<ShareState, 'suspected'>;

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

export type Counts = { readonly seen: number; readonly bad: number; readonly slow: number };

export type Watch = WayBack<HealthState> & {
  /** The cumulated sums. */
  readonly sums: Readonly<Record<WatchName, number>>;
  /** What raised the alarm, and its rate then: the test on the way back compares with that rate. */
  readonly alarm: { readonly watch: WatchName; readonly rate: number } | null;
  /** Calls since the sums last stood at 0, to tell a rate. */
  readonly run: Counts;
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

/** The watch after these calls. */
export function watched(watch: Watch, counts: Counts, now_ms: number): Watch {
  const now = { ...watch, changes: recent(watch.changes, now_ms) };
  const { state } = now;
  if (state === 'open') return now;
  if (state === 'half') return comingBack({ ...now, state }, counts, now_ms);
  const seen = cumulated(now, counts);
  const alarmed = WATCHES.find((name) => seen.sums[name] > ALARM);
  if (alarmed) return toHalf(seen, { watch: alarmed, rate: rateOf(alarmed, seen.run) }, now_ms);
  const is_over = state === 'spread' && now_ms - now.since_ms >= SPREAD_MS;
  return is_over ? { ...seen, ...changedTo(seen, 'closed', now_ms) } : seen;
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

function rateOf(name: WatchName, { seen, bad, slow }: Counts): number {
  const rate = (name === 'technical' ? bad : slow) / Math.max(1, seen);
  return Math.min(WORST, Math.max(OUT[name], rate));
}

function comingBack(watch: Watch & WayBack<'half'>, counts: Counts, now_ms: number): Watch {
  const alarm = watch.alarm ?? NOTHING_SEEN;
  const { watch: name, rate } = alarm;
  const wrong = name === 'technical' ? counts.bad : counts.slow;
  const { says, ...back } = tested(watch, { seen: counts.seen, wrong, usual: USUAL[name], alarm: rate }, now_ms);
  if (says === 'bad') return toHalf(watch, alarm, now_ms);
  return says === 'well'
    ? { ...watch, ...changedTo(watch, 'spread', now_ms), back: 0, back_bad: false }
    : { ...watch, ...back };
}

/** The alarm of a provider whose breaker opened: no call was answered at all. */
const NOTHING_SEEN = { watch: 'technical', rate: WORST } as const;

function toHalf(watch: Watch, alarm: Watch['alarm'], now_ms: number): Watch {
  return { ...watch, ...halfFrom(watch, now_ms), alarm, sums: WELL.sums, run: WELL.run };
}

/** Calls went unanswered one after the other: nothing new is sent to it until it answers a probe. */
export function opened(watch: Watch, now_ms: number): Watch {
  if (watch.state === 'open') return watch;
  return { ...watch, ...changedTo(watch, 'open', now_ms), alarm: NOTHING_SEEN, sums: WELL.sums, run: WELL.run };
}

/** The provider has answered a probe. */
export function answered(watch: Watch, now_ms: number): Watch {
  return watch.state === 'open' ? toHalf(watch, watch.alarm, now_ms) : watch;
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
