// Is a message of a provider of now? One that somebody kept and sends again later must not be taken, however well it is signed:
// the timestamp is a part of what is signed, and new for each delivery.
import type { Tools } from '../tools.ts';

/** How far the clocks of a provider and ours may be apart, to either side. */
const MOST_APART_MS = 300_000;

/**
 * `timestamp`: milliseconds since 1970 as digits, by the clock of the provider. In a sandbox whose clock was moved, the real time is
 * right too: the simulated providers deliver in it, whatever moment they tell of.
 */
export function isTimely({ clock }: Pick<Tools, 'clock'>, timestamp: string | undefined): boolean {
  if (timestamp === undefined || !/^\d{1,15}$/.test(timestamp)) return false;
  const told = Number(timestamp);
  const now = clock.now().getTime();
  return [now, now - clock.shift_ms()].some((moment) => Math.abs(told - moment) <= MOST_APART_MS);
}
