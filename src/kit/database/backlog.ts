// Statements that wait for the database. A commit may wait for a standby that does not answer: then the next statements
// are refused before any byte of them is sent, and callers get the error at once.
import { systemClock } from '../clock.ts';
import { counter } from '../metrics/registry.ts';
import { DatabaseUnavailable, refusalIn } from './errors.ts';

/** A commit that takes longer waits for something; one alone may wait for a lock. */
const PATIENCE_MS = 2000;
/** How often a commit of our own is tried, until one ends. */
const AGAIN_MS = 250;

const refused = counter(
  'florin_database_refused_total',
  'Statements that were refused before they were sent, as too much waits',
);

/** Refuses, and counts it. */
export function refuse(database: string, why: 'commits do not end' | 'too many reads wait'): DatabaseUnavailable {
  refused.add({ database, why });
  return new DatabaseUnavailable(why);
}

export class Backlog {
  /** When each commit under way was sent, the oldest first. */
  private readonly sent = new Map<symbol, number>();
  private readonly clock = systemClock();
  private readonly database: string;
  private readonly tryOne: () => Promise<unknown>;
  /** Commits that were begun. */
  count = 0;
  private ended_at = 0;
  private trying = false;
  private closed = false;

  /** `tryOne`: a commit that changes nothing. */
  constructor(database: string, tryOne: () => Promise<unknown>) {
    this.database = database;
    this.tryOne = tryOne;
  }

  async commit<T>(work: () => Promise<T>): Promise<T> {
    const key = Symbol('commit');
    const sent_at = this.clock.ticks();
    this.sent.set(key, sent_at);
    this.count++;
    try {
      const done = await work();
      this.ended_at = this.clock.ticks();
      return done;
    } catch (error) {
      // the server's own word: it answers
      if (refusalIn(error)) this.ended_at = this.clock.ticks();
      // no request asked for room meanwhile, and the next one would wait as long
      else if (!this.trying && this.clock.ticks() - sent_at > PATIENCE_MS) void this.tryUntilOneEnds();
      throw error;
    } finally {
      this.sent.delete(key);
    }
  }

  /** Throws DatabaseUnavailable where one more would only wait with the others. */
  requireRoom(): void {
    if (!this.trying && !this.isStuck()) return;
    if (!this.trying) void this.tryUntilOneEnds();
    throw refuse(this.database, 'commits do not end');
  }

  close(): void {
    this.closed = true;
  }

  /** Two at least wait for too long, and none has ended meanwhile. */
  private isStuck(): boolean {
    const limit = this.clock.ticks() - PATIENCE_MS;
    if (this.ended_at > limit) return false;
    const [, second] = this.sent.values();
    return second !== undefined && second < limit;
  }

  /** Statements that were under way give up in the end; that proves nothing about the next one. */
  private async tryUntilOneEnds(): Promise<void> {
    this.trying = true;
    while (this.trying && !this.closed) {
      this.trying = await this.tryOne().then(
        () => false,
        () => true,
      );
      if (this.trying) await this.clock.sleep(AGAIN_MS);
    }
  }
}
