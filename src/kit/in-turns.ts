// Work that many ask for and few places do: whoever asks for much waits for themselves, and not the others for them.
export type Turns = {
  /** So many run at once. */
  readonly most: number;
  /** So many of one asker wait; a further one is refused. */
  readonly share: number;
  /** So many wait in all; beyond it the last of the longest line is refused. */
  readonly waiting: number;
  /** Whoever waits longer is refused. Absent: they wait for as long as it takes. */
  readonly patience_ms?: number;
  /** What one who is refused gets. */
  refuse(): Error;
};

type Waiting = { begin(): void; refuse(error: Error): void };

/** Runs what it is given: the askers take turns, each in the order in which its own work came. */
export function inTurns(turns: Turns): <T>(from: string, work: () => Promise<T>) => Promise<T> {
  const { most, share, waiting, patience_ms, refuse } = turns;
  let running = 0;
  let count = 0;
  const lines = new Map<string, Waiting[]>();

  const wait = async (from: string): Promise<void> => {
    const line = lines.get(from) ?? [];
    if (line.length >= share) throw refuse();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one = { begin: resolve, refuse: reject };
    line.push(one);
    lines.set(from, line);
    if (++count > waiting) refuseOne(longest(), -1);
    const tired = patience_ms === undefined ? undefined : setTimeout(() => giveUp(from, one), patience_ms);
    await promise.finally(() => clearTimeout(tired));
  };

  const longest = (): string => [...lines].reduce((one, other) => (other[1].length > one[1].length ? other : one))[0];

  const refuseOne = (from: string, at: number): void => {
    const line = lines.get(from) ?? [];
    line.splice(at, 1)[0]?.refuse(refuse());
    if (line.length === 0) lines.delete(from);
    count--;
  };

  const giveUp = (from: string, one: Waiting): void => {
    const at = lines.get(from)?.indexOf(one) ?? -1;
    if (at >= 0) refuseOne(from, at);
  };

  /** Takes the first of the asker whose turn it is, and puts that asker behind the others. */
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
    if (running >= most) await wait(from);
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
