// Gathers what hosts report of requests, and writes it in batches beside the payments: a request costs a few
// microseconds, no round trip, and no memory beyond a bound. What has no room is dropped and counted; a payment never
// waits for its log. What a process has gathered and not yet written is lost with it: this is a tool for developers,
// not the audit.
import { counter, gauge } from '../../kit/metrics/registry.ts';
import type { Runner } from '../../kit/database.ts';
import type { Log } from '../../kit/log.ts';
import type { LogEntry } from '../log-entry.ts';
import { type RequestLog, noRequestLog } from '../tools.ts';
import { type Noted, noted, pagesOf } from './page.ts';
import { isDayMissing, keepDays, writePages } from './store.ts';

type Options = {
  readonly db: Runner;
  readonly log: Log;
  /** 0: nothing is kept. */
  readonly days: number;
};

const PAUSE_MS = 500;
const BATCH = 400;
/** The most bytes of masked text in memory; an entry has at most 6,000, and usually a third of that. */
const MOST_BYTES = 8_000_000;
const MOST_ENTRIES = 10_000;

const written = counter('florin_request_log_written_total', 'Requests and tries of notifications written to the log');
const dropped = counter(
  'florin_request_log_dropped_total',
  'Those that were not: there was no room, or the database was away',
);
const waiting = gauge('florin_request_log_waiting', 'Those that are gathered and not yet written');

export function openRequestLog({ db, log, days }: Options): RequestLog {
  const keep = () => keepDays(db, days);
  if (days === 0) return { ...noRequestLog, keep };
  const gathering = new Gathering({ db, log, days });
  const unwatch = waiting.from(() => [[{}, gathering.size]]);
  return {
    note: (make) => gathering.note(make),
    keep,
    close: async () => {
      await gathering.close();
      unwatch();
    },
  };
}

class Gathering {
  private readonly options: Options;
  private made: (() => LogEntry)[] = [];
  private entries: Noted[] = [];
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private closed = false;

  constructor(options: Options) {
    this.options = options;
  }

  get size(): number {
    return this.made.length + this.entries.length;
  }

  note(make: () => LogEntry): void {
    if (this.closed || this.size >= MOST_ENTRIES || this.bytes >= MOST_BYTES) return dropped.add({ why: 'no room' });
    if (this.made.push(make) === 1) setImmediate(() => this.take());
  }

  async close(): Promise<void> {
    this.closed = true;
    this.take();
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  /** Masks what came in this turn: unmasked it waits for no longer. */
  private take(): void {
    for (const make of this.made.splice(0)) {
      try {
        const entry = noted(make());
        this.entries.push(entry);
        this.bytes += entry.bodies.length;
      } catch (error) {
        dropped.add({ why: 'unreadable' });
        this.options.log.warn({ error: String(error) }, 'a request could not be written to the log');
      }
    }
    if (this.entries.length === 0 || this.closed) return;
    this.timer ??= setTimeout(() => this.begin(), PAUSE_MS).unref();
  }

  private begin(): void {
    this.timer = undefined;
    this.writing ??= this.write().finally(() => {
      this.writing = undefined;
      if (this.entries.length > 0 && !this.closed) this.timer ??= setTimeout(() => this.begin(), PAUSE_MS).unref();
    });
  }

  private async write(): Promise<void> {
    while (this.entries.length > 0) {
      const batch = this.entries.splice(0, BATCH);
      for (const { bodies } of batch) this.bytes -= bodies.length;
      await this.writeBatch(batch);
    }
  }

  private async writeBatch(batch: readonly Noted[]): Promise<void> {
    const { db, log, days } = this.options;
    try {
      const pages = await pagesOf(batch);
      await writePages(db, pages).catch(async (error: unknown) => {
        if (!isDayMissing(error)) throw error;
        await keepDays(db, days);
        await writePages(db, pages);
      });
      written.add({}, batch.length);
    } catch (error) {
      dropped.add({ why: 'not written' }, batch.length);
      log.warn({ entries: batch.length, error: String(error) }, 'requests could not be written to the log');
    }
  }
}
