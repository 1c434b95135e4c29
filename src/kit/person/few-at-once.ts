// Expensive work that strangers may ask for: a few at a time, and one network after the other, so that many requests of
// one caller do not keep the others waiting.
import { Refusal } from '../../core/refusals.ts';
import { type Turns, inTurns } from '../in-turns.ts';

type Limits = Pick<Turns, 'most' | 'share' | 'waiting'> & {
  /** The text of the refusal. */
  readonly busy: string;
};

/** Runs what it is given: the networks take turns, each in the order in which its own requests came. */
export function fewAtOnce({ busy, ...limits }: Limits): <T>(from: string, work: () => Promise<T>) => Promise<T> {
  const inTurn = inTurns({ ...limits, refuse: () => tooMany(busy) });
  return (from, work) => inTurn(networkOf(from), work);
}

/** The network that a turn counts for: an IPv4 address, or the /64 that one customer has in IPv6. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [head = '', tail = ''] = ip.toLowerCase().split('%', 1)[0]?.split('::', 2) ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  if (after.at(-1)?.includes('.')) return after.at(-1) ?? ip;
  const gap = ip.includes('::') ? Math.max(0, 8 - before.length - after.length) : 0;
  const groups = [...before, ...Array.from({ length: gap }, () => '0'), ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

function tooMany(busy: string): Refusal {
  return new Refusal('unavailable', {
    detail: `${busy}: repeat after 5 s`,
    headers: { 'retry-after': '5' },
  });
}
