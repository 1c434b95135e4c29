// The share of new payments for a provider or contract that is not well, and its way back: a pause, a sequential test
// on a few payments, then a share that rises to all. It does not flap: each pause within an hour is twice the last, and
// an hour has at most four changes.

import { HOUR_MS } from '../durations.ts';
/** `suspected`: not proved bad yet, and keeps most of its payments. `open`: nothing is sent to it. */
export type ShareState = 'closed' | 'suspected' | 'open' | 'half' | 'spread';

/** Log likelihood ratios of one good and one bad call: in control against out of control. */
export type Test = { readonly good: number; readonly bad: number };

export function testOf(in_control: number, out: number): Test {
  return { good: Math.log((1 - out) / (1 - in_control)), bad: Math.log(out / in_control) };
}

/** The test on the way back ends wrongly in at most 1 of 100 cases, either way. */
const DECIDED = Math.log(99);
/** The highest rate that is assumed from an alarm. */
export const WORST = 0.95;

const SECOND_MS = 1000;
/** After an alarm nothing is decided for this time, and for twice as long after each further alarm within an hour. */
const DWELL_MS = 30 * SECOND_MS;
const MOST_DWELL_MS = 900 * SECOND_MS;
/** If too few payments come to decide, this long without a bad one is enough. */
const PATIENCE_MS = 600 * SECOND_MS;
export const SPREAD_MS = 60 * SECOND_MS;
/** So many changes in an hour at most. */
const MOST_CHANGES = 4;
/** The share of payments in the state `half`: one in twenty. */
const HALF_SHARE = 1 / 20;
const SUSPECTED_SHARE = 0.8;

/** The state of anything that is watched, and what its way back needs. */
export type WayBack<State extends ShareState> = {
  readonly state: State;
  readonly since_ms: number;
  readonly dwell_ms: number;
  /** The sum of the test on the way back, and whether a bad call was among them. */
  readonly back: number;
  readonly back_bad: boolean;
  /** When it changed within the last hour. */
  readonly changes: readonly number[];
};

/** The share of new payments in a state, from 0 to 1. */
export function shareOf(
  { state, since_ms }: { readonly state: ShareState; readonly since_ms: number },
  now_ms: number,
): number {
  switch (state) {
    case 'closed':
      return 1;
    case 'suspected':
      return SUSPECTED_SHARE;
    case 'open':
      return 0;
    case 'half':
      return HALF_SHARE;
    case 'spread':
      return Math.min(1, HALF_SHARE + (1 - HALF_SHARE) * ((now_ms - since_ms) / SPREAD_MS));
  }
}

export const recent = (changes: readonly number[], now_ms: number): readonly number[] =>
  changes.filter((at) => at > now_ms - HOUR_MS);

/** The members of a watch that change with its state. */
export function changedTo<State extends ShareState>(
  { changes }: Pick<WayBack<ShareState>, 'changes'>,
  state: State,
  now_ms: number,
): { readonly state: State; readonly since_ms: number; readonly changes: readonly number[] } {
  return { state, since_ms: now_ms, changes: [...recent(changes, now_ms), now_ms] };
}

/** Whether so many changes more may be made within this hour; `changes` are its recent ones. */
export const mayChange = ({ changes }: Pick<WayBack<ShareState>, 'changes'>, times: number): boolean =>
  changes.length + times <= MOST_CHANGES;

/** The members of one that is half from now on: by an alarm, or because it is still not well. */
export function halfFrom(watch: WayBack<ShareState>, now_ms: number): WayBack<'half'> {
  const again = watch.dwell_ms > 0 && (watch.state === 'half' || watch.changes.length > 0);
  const dwell_ms = again ? Math.min(MOST_DWELL_MS, watch.dwell_ms * 2) : DWELL_MS;
  const half =
    watch.state === 'half'
      ? { state: 'half' as const, since_ms: now_ms, changes: watch.changes }
      : changedTo(watch, 'half', now_ms);
  return { ...half, dwell_ms, back: 0, back_bad: false };
}

type Trying = {
  readonly seen: number;
  readonly wrong: number;
  readonly usual: number;
  readonly alarm: number;
};

export type Tested = Pick<WayBack<'half'>, 'back' | 'back_bad'> & { readonly says: 'bad' | 'well' | 'nothing' };

/** The test between what is usual and what was seen at the alarm; it begins when the dwell is over. */
export function tested(watch: WayBack<'half'>, { seen, wrong, usual, alarm }: Trying, now_ms: number): Tested {
  const { since_ms, dwell_ms } = watch;
  const waited = now_ms - since_ms;
  if (waited < dwell_ms) return { back: watch.back, back_bad: watch.back_bad, says: 'nothing' };
  const { good, bad } = testOf(usual, alarm);
  const back = watch.back + (seen - wrong) * good + wrong * bad;
  const back_bad = watch.back_bad || wrong > 0;
  if (back >= DECIDED) return { back, back_bad, says: 'bad' };
  const well = back <= -DECIDED || (waited >= dwell_ms + PATIENCE_MS && !back_bad);
  // the way back is two changes more
  return { back, back_bad, says: well && mayChange(watch, 2) ? 'well' : 'nothing' };
}

/** Calls come as sums: the bad ones count as spread evenly among them, since their order is not known. */
export const isOneOf = (i: number, wrong: number, all: number): boolean =>
  Math.floor(((i + 1) * wrong) / all) > Math.floor((i * wrong) / all);
