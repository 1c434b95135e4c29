// Expensive work that strangers may ask for: a few at a time, and one network after the other, so that many requests of
// one caller do not keep the others waiting.
import { Refusal } from '../../core/refusals.ts';

type Limits = {
  /** So many run at once. */
  readonly most: number;
  /** So many of one network wait; a further one is refused. */
  readonly share: number;
  /** So many wait in all; beyond it the last of the longest line is refused. */
  readonly waiting: number;
  /** The text of the refusal. */
  readonly busy: string;
};

type Waiting = { readonly begin: () => void; readonly refuse: (refusal: Refusal) => void };

/** Runs what it is given: the networks take turns, each in the order in which its own requests came. */
export function fewAtOnce({
  most,
  share,
  waiting,
  busy,
}: Limits): <T>(from: string, work: () => Promise<T>) => Promise<T> {
  let running = 0;
  let count = 0;
  const lines = new Map<string, Waiting[]>();

  const wait = (from: string): Promise<void> => {
    const line = lines.get(from) ?? [];
    if (line.length >= share) throw tooMany(busy);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    line.push({ begin: resolve, refuse: reject });
    lines.set(from, line);
    if (++count > waiting) refuseLast();
    return promise;
  };

  const refuseLast = (): void => {
    const longest = [...lines].reduce((one, other) => (other[1].length > one[1].length ? other : one));
    longest[1].pop()?.refuse(tooMany(busy));
    if (longest[1].length === 0) lines.delete(longest[0]);
    count--;
  };

  /** Takes the first of the network whose turn it is, and puts that network behind the others. */
  const next = (): Waiting | undefined => {
    const [first] = lines;
    if (!first) return undefined;
    const [from, line] = first;
    const one = line.shift();
    lines.delete(from);
    if (line.length > 0) lines.set(from, line);
    count--;
    return one;
  };

  return async (from, work) => {
    if (running >= most) await wait(networkOf(from));
    else running++;
    try {
      return await work();
    } finally {
      // the place is handed on
      const other = next();
      if (other) other.begin();
      else running--;
    }
  };
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
