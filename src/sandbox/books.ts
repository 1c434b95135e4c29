// The books of one simulated provider: the operations that it believes were done. They share nothing with our tables,
// so agreement with our ledger proves something. Of a card they hold only its decision and its last four digits.
import { type Entry, type EntryKind, idOf } from './entry.ts';

export type BooksOptions = {
  /** Writes changes that belong together as one line of the journal; throws if it cannot. */
  append(line: string): void;
  /** Called with entries for which something is due later. */
  waits?(entry: Entry): void;
};

export class Books {
  readonly provider: string;
  /** If true, a repeat of a known reference gets the first answer and has no effect. */
  deduplicates = false;
  private readonly entries = new Map<string, Entry>();
  /** Reversals are kept apart, because a reversal has the reference of the operation that it reverses. */
  private readonly reversals = new Map<string, Entry>();
  private readonly options: BooksOptions;

  constructor(provider: string, options: BooksOptions) {
    this.provider = provider;
    this.options = options;
  }

  find(reference: string): Entry | undefined {
    return this.entries.get(reference);
  }

  findReversal(reference: string): Entry | undefined {
    return this.reversals.get(reference);
  }

  /** The entry with this id, if it is of that kind. */
  findId(id: string, kind: EntryKind): Entry | undefined {
    const entry = this.entries.get(id.slice(id.indexOf('_') + 1));
    return entry?.kind === kind && entry.state !== 'coming' && idOf(entry) === id ? entry : undefined;
  }

  /** Changes that belong together are one line of the journal, and are valid only once the line is written. */
  record(...changed: readonly Entry[]): void {
    this.options.append(JSON.stringify(changed));
    for (const entry of changed) this.restore(entry);
  }

  restore(entry: Entry): void {
    const own = entry.kind === 'reversal' ? this.reversals : this.entries;
    const before = own.get(entry.reference);
    own.set(entry.reference, entry);
    if (entry.later.length > 0 && entry.later !== before?.later) this.options.waits?.(entry);
  }

  *list(): Generator<Entry> {
    yield* this.entries.values();
    yield* this.reversals.values();
  }

  clear(): void {
    this.entries.clear();
    this.reversals.clear();
  }
}
