// Places for work that is under way at the same time, shared by providers or accounts: none takes more than half of
// what the others leave free. However slow some are, there is a place for the next one; one that is alone still has
// half of them all.

export type Places = {
  /** How many places are free in all. */
  free(): number;
  /** How many more of them are for this one now. */
  left(name: string): number;
  /** The users for whom there is no place now. */
  crowded(): readonly string[];
  /**
   * How many places one of several takers may take if they do not see each other: as many stay free for the next one.
   */
  half(): number;
  /** How many places may be taken now, whoever takes them; the rest is left for users that have few. */
  room(): number;
  /** Holds a place until the work has ended, well or not; what goes wrong in it is its own to tell. */
  hold(name: string, work: Promise<unknown>): void;
  /** Done when one of those that are held now is free again; at once where none is. */
  freed(): Promise<void>;
  /** Done when nothing is under way. */
  drain(): Promise<void>;
};

/** `ended` is called for each place that is free again. */
export function makePlaces(most: number, ended: () => void = () => undefined): Places {
  const held = new Map<string, number>();
  const under_way = new Set<Promise<void>>();
  const free = () => most - under_way.size;
  const half = () => Math.ceil(free() / 2);
  const left = (name: string) => {
    const own = held.get(name) ?? 0;
    return Math.max(0, Math.ceil((free() + own) / 2) - own);
  };
  const change = (name: string, by: 1 | -1) => {
    const count = (held.get(name) ?? 0) + by;
    if (count === 0) held.delete(name);
    else held.set(name, count);
  };
  return {
    free,
    left,
    half,
    crowded: () => [...held.keys()].filter((name) => left(name) === 0),
    room: () => {
      const lefts = [...held.keys()].map(left).filter((count) => count > 0);
      return Math.min(half(), ...lefts);
    },
    hold: (name, work) => {
      change(name, 1);
      const free_again = () => {
        under_way.delete(holding);
        change(name, -1);
        ended();
      };
      const holding: Promise<void> = work.then(free_again, free_again);
      under_way.add(holding);
    },
    freed: async () => {
      if (under_way.size > 0) await Promise.race(under_way);
    },
    drain: async () => {
      await Promise.all(under_way);
    },
  };
}
