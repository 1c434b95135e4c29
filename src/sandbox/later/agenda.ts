// The clock of the simulated provider, and the events that wait for it. It runs like the real clock, ahead of it by a
// shift. When it is moved ahead, all events that become due happen in the order of time, each at its own moment.
import type { Entry, EntryKind } from '../entry.ts';

/** One due event: a change of an entry, or the end of an outage. */
export type Due = {
  readonly at: number;
  readonly provider: string;
  readonly kind: EntryKind | 'authentication';
  readonly reference: string;
};

export type AgendaOptions = {
  /** The real clock, in milliseconds since 1970. */
  readonly real: () => number;
  /** Makes the event happen. */
  run(due: Due): void;
};

export class Agenda {
  private readonly options: AgendaOptions;
  private due: Due[] = [];
  private shift = 0;
  private timer: NodeJS.Timeout | undefined;
  /** The moment of the event that is happening; undefined between events. */
  private moment: number | undefined;

  constructor(options: AgendaOptions) {
    this.options = options;
  }

  now(): number {
    return this.moment ?? this.options.real() + this.shift;
  }

  get shift_ms(): number {
    return this.shift;
  }

  get next_due(): number | null {
    return this.due[0]?.at ?? null;
  }

  restore(shift_ms: number): void {
    this.shift = shift_ms;
    this.arm();
  }

  /**
   * Plans the later changes of an entry. A change that is planned twice does no harm: the entry is checked when it is
   * due.
   */
  add({ provider, kind, reference, later }: Entry): void {
    for (const { at } of later) if (at !== null) this.insert({ at, provider, kind, reference });
    this.arm();
  }

  /** Plans an event that belongs to no entry. */
  await(due: Due): void {
    this.insert(due);
    this.arm();
  }

  /** Moves the clock to that moment; false if it is in the past. */
  advance(to: number): boolean {
    if (to < this.now()) return false;
    this.runUntil(to);
    this.shift = to - this.options.real();
    this.arm();
    return true;
  }

  /** Moves the clock this far ahead of the real one; it stays if it is as far ahead already. */
  shiftTo(shift_ms: number): void {
    this.runUntil(this.options.real() + Math.max(shift_ms, this.shift));
    this.shift = Math.max(shift_ms, this.shift);
    this.arm();
  }

  /** Makes the events that are due by now happen: a process that was stopped reads requests before its timers run. */
  catchUp(): void {
    this.runUntil(this.now());
  }

  clear(): void {
    this.due = [];
    this.arm();
  }

  stop(): void {
    this.clear();
  }

  private runUntil(until: number): void {
    for (let next = this.due[0]; next !== undefined && next.at <= until; next = this.due[0]) {
      this.due.shift();
      this.moment = next.at;
      try {
        this.options.run(next);
      } finally {
        this.moment = undefined;
      }
    }
  }

  /** Events with the same moment happen in the order in which they were planned. */
  private insert(due: Due): void {
    let [low, high] = [0, this.due.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.due[middle]?.at ?? 0) <= due.at) low = middle + 1;
      else high = middle;
    }
    this.due.splice(low, 0, due);
  }

  private arm(): void {
    clearTimeout(this.timer);
    const [next] = this.due;
    if (next === undefined) return;
    const wait = Math.min(Math.max(0, next.at - this.now()), LONGEST_MS);
    this.timer = setTimeout(() => {
      this.runUntil(this.now());
      this.arm();
    }, wait).unref();
  }
}

/** The longest delay of a timer. */
const LONGEST_MS = 2_147_483_647;
