// When a declined payment without a payer is tried again, or why not. Pure: the same facts give the same moment, so
// every process that works it out says the same.
import { DAY_S } from '../durations.ts';
import type { Following } from './follow.ts';
import type { Ending, RetryCause, RetryPolicy } from './policy.ts';
import type { ScheduleName } from './classes.ts';
import { type Day, localOf, momentIn } from '../zone.ts';

export type AfterDecline = {
  readonly policy: RetryPolicy;
  readonly following: Pick<Following, 'class' | 'wait_s' | 'schedule'>;
  /** Later tries made before. */
  readonly made: number;
  /** The moment of the decline. */
  readonly now: Date;
  /** The policy's days are over then. */
  readonly until: Date;
  /** A number from 0 to 1, always the same for one order: it spreads tries that become due together. */
  readonly draw: number;
  /** The time zone of the payer's banking day. */
  readonly zone: string;
  /** The first moment after the card's end; null: not known. */
  readonly card_ends: Date | null;
};

export type NextTry = { readonly due: Date; readonly cause: RetryCause } | { readonly ended: Ending };

/** Classes after which nothing is tried without the payer. */
const ENDS: Readonly<Partial<Record<Following['class'], Ending>>> = {
  stop: 'stopped',
  with_3ds: 'payer_needed',
  fix_input: 'payer_needed',
  payer: 'payer_needed',
  none: 'not_retryable',
};

export function nextTry(after: AfterDecline): NextTry {
  const { policy, following, made, until, card_ends } = after;
  const end = ENDS[following.class];
  if (end) return { ended: end };
  if (made >= policy.tries) return { ended: 'tries_used_up' };
  const next = momentOf(after);
  if ('ended' in next) return next;
  if (next.due > until) return { ended: 'days_over' };
  return card_ends && next.due >= card_ends ? { ended: 'card_expired' } : next;
}

/** Later than advised by at most this share: what was declined together comes back apart. */
const SPREAD = 0.1;

function momentOf({ policy, following, made, now, draw, zone }: AfterDecline): NextTry {
  const { wait_s, schedule } = following;
  if (wait_s !== null) return { due: later(now, wait_s * (1 + SPREAD * draw)), cause: 'advice' };
  if (schedule === null) return { ended: 'not_retryable' };
  const next_s = policy.waits_s[schedule][made];
  if (next_s === undefined) return { ended: 'tries_used_up' };
  return { due: scheduled(schedule, { now, wait_s: next_s, draw, zone }), cause: schedule };
}

type Waiting = { readonly now: Date; readonly wait_s: number; readonly draw: number; readonly zone: string };

function scheduled(schedule: ScheduleName, { now, wait_s, draw, zone }: Waiting): Date {
  if (schedule !== 'funds') return later(now, wait_s * (1 + SPREAD * draw));
  const { year, month, day } = localOf(now, zone);
  const first = { year, month, day: day + Math.round(wait_s / DAY_S) };
  const near = [0, 1, 2].map((more) => ({ ...first, day: first.day + more }));
  const chosen = near.find(isPayDay) ?? first;
  return momentIn(chosen, FROM_MINUTE + Math.floor(draw * (TO_MINUTE - FROM_MINUTE)), zone);
}

/** Early in the morning: wages have come, and little is spent yet. */
const FROM_MINUTE = 6 * 60;
const TO_MINUTE = 10 * 60;
const FRIDAY = 5;

/** The 1st, the 15th, a Friday, or the last working day of its month. */
function isPayDay(one: Day): boolean {
  const date = dateOf(one);
  const weekday = date.getUTCDay();
  return [1, 15].includes(date.getUTCDate()) || weekday === FRIDAY || isLastWorkingDay(date, weekday);
}

function isLastWorkingDay(date: Date, weekday: number): boolean {
  const works = weekday >= 1 && weekday <= FRIDAY;
  const next = new Date(date.getTime() + (weekday === FRIDAY ? 3 : 1) * DAY_S * 1000);
  return works && next.getUTCMonth() !== date.getUTCMonth();
}

/** A day beyond the end of its month is one of the next. */
const dateOf = ({ year, month, day }: Day) => new Date(Date.UTC(year, month - 1, day));

const later = (now: Date, seconds: number) => new Date(now.getTime() + Math.ceil(seconds * 1000));
