// The counts that limit callers, over all processes of a zone (contract 2.10). Counts by the minute are kept here, and
// once a second each process tells them to the others. Limits on running requests, and on requests within a second, are
// divided by the number of living processes: a write for each request would cost more than the request.
import { hash } from 'node:crypto';
import { MINUTE_MS } from '../../core/durations.ts';
import type { Chance, Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type Teller, tellerOf } from '../teller.ts';

/** Through this processes tell each other their counts. Names are hashes. */
export type CountStore = {
  /** Says how often each was counted here, and answers how often elsewhere. */
  exchange(process: string, counted: readonly Counted[]): Promise<ReadonlyMap<string, number>>;
  /** Says that this process lives; answers how many do. */
  beat(process: string): Promise<number>;
  leave(process: string): Promise<void>;
};
export type Counted = { readonly name: string; readonly count: number; readonly left_ms: number };

type Window = { readonly until: number; here: number; elsewhere: number; told: boolean; changed: boolean };

const EXCHANGE_MS = 1000;
/** So many exchanges, and it says that it lives. */
const BEAT = 2;
/** Keeps a bounded number of counters; the oldest go first. Losing one only forgets a count. */
const MAX_COUNTERS = 50_000;

type Tools = { readonly clock: Clock; readonly chance: Chance; readonly log: Log };

export class Counts {
  private readonly tools: Tools;
  private readonly store: CountStore | undefined;
  private readonly process: string;
  private readonly teller: Teller;
  private readonly windows = new Map<string, Window>();
  private living = 1;

  /** Without a store this process is the only one. */
  constructor(tools: Tools, store?: CountStore) {
    this.tools = tools;
    this.store = store;
    this.process = tools.chance.id();
    this.teller = tellerOf(tools, {
      trouble: 'limits are counted by this process alone for a while',
      over: 'limits are counted with the other processes again',
    });
  }

  /**
   * Counts one event in a minute that begins with the first; `first beyond` once in it, where there were `max` already.
   */
  count(what: string, max: number): 'within' | 'first beyond' | 'beyond' {
    const window = this.windowOf(nameOf(what));
    window.here++;
    window.changed = true;
    if (window.here + window.elsewhere <= max) return 'within';
    if (window.told) return 'beyond';
    window.told = true;
    return 'first beyond';
  }

  /** One event does not count after all. */
  takeBack(what: string): void {
    const window = this.windows.get(nameOf(what));
    if (!window || window.here === 0) return;
    window.here--;
    window.changed = true;
  }

  /** This process's part of a limit of what runs, or of what comes in a second: 1 at least. */
  share(limit: number): number {
    return Math.max(1, Math.floor(limit / this.living));
  }

  /** Lives among the others from now on. Answers what ends it. */
  async join(): Promise<() => Promise<void>> {
    const { store } = this;
    if (!store) return async () => undefined;
    const ending = new AbortController();
    await this.tell(() => this.beat(store));
    const telling = this.goOn(store, ending.signal);
    return async () => {
      ending.abort();
      await telling;
      await this.tell(() => store.leave(this.process));
    };
  }

  private async goOn(store: CountStore, ended: AbortSignal): Promise<void> {
    for (let turn = 1; ; turn++) {
      await this.tools.clock.sleep(EXCHANGE_MS, ended);
      if (ended.aborted) return;
      await this.tell(() => this.exchange(store));
      if (turn % BEAT === 0) await this.tell(() => this.beat(store));
    }
  }

  /** A database that is away lets each process count for itself. */
  private async tell(work: () => Promise<void>): Promise<void> {
    await work().catch(this.teller.troubled);
  }

  private async beat(store: CountStore): Promise<void> {
    this.living = Math.max(1, await store.beat(this.process));
    this.teller.well();
  }

  private async exchange(store: CountStore): Promise<void> {
    const now = this.tools.clock.ticks();
    const own = [...this.windows].filter(([, { until, changed }]) => changed && until > now);
    if (own.length === 0) return;
    for (const [, window] of own) window.changed = false;
    const counted = own.map(([name, { here, until }]) => ({ name, count: here, left_ms: until - now }));
    const elsewhere = await store.exchange(this.process, counted).catch((error: unknown) => {
      // told with the next exchange, or the others would not know of it
      for (const [, window] of own) window.changed = true;
      throw error;
    });
    for (const [name, window] of own) window.elsewhere = elsewhere.get(name) ?? 0;
  }

  private windowOf(name: string): Window {
    const now = this.tools.clock.ticks();
    const known = this.windows.get(name);
    if (known && known.until > now) return known;
    const window = { until: now + MINUTE_MS, here: 0, elsewhere: 0, told: false, changed: false };
    // the newest are the last
    this.windows.delete(name);
    remember(this.windows, name, window);
    return window;
  }
}

/** A hash, so that no address is stored: two processes only have to mean the same caller. */
const nameOf = (what: string) => hash('sha256', what, 'hex').slice(0, 32);

export function remember<T>(map: Map<string, T>, name: string, value: T): void {
  if (!map.has(name) && map.size >= MAX_COUNTERS) {
    const oldest = map.keys().next().value;
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(name, value);
}
