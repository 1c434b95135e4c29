// How a message is numbered: the core keeps a trace number and a time with an operation's first step, and every message
// of it, and every message about it, is numbered by these two.
import { DAY_MS } from '../../core/durations.ts';
import type { Kept } from '../contract.ts';

export type Stamp = {
  /** Field 11: six digits, unique within a day. */
  readonly trace: string;
  /** Field 7: month, day, time, UTC. */
  readonly sent_at: string;
  /**
   * Field 37, of a message that begins something: year, day of the year, hour as a letter, trace number. Not used again
   * for a century.
   */
  readonly reference: string;
};

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/;

/** Undefined: the operation was given no number. */
export function stampOf({ trace = '', trace_at = '' }: Kept): Stamp | undefined {
  const found = MOMENT.exec(trace_at);
  if (!/^\d{6}$/.test(trace) || !found) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = ''] = found;
  const days = (Date.UTC(Number(year), Number(month) - 1, Number(day)) - Date.UTC(Number(year), 0, 1)) / DAY_MS + 1;
  const letter = 'ABCDEFGHIJKLMNOPQRSTUVWX'[Number(hour)];
  return letter === undefined
    ? undefined
    : {
        trace,
        sent_at: month + day + hour + minute + second,
        reference: year.slice(2) + String(days).padStart(3, '0') + letter + trace,
      };
}
