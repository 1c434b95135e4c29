// The books of one simulated provider: what it believes was done. Nothing is shared with our tables, so books that
// agree with our ledger prove something. They know of a card what was decided about it and its last four digits,
// nothing more.
import { type Entry, type EntryKind, idOf } from './entry.ts';

export type BooksOptions = {
  /** Writes what changes together as one line of the journal; throws where it cannot. */
  append(line: string): void;
  /** Called with entries for which something is due later. */
  waits?(entry: Entry): void;
};

export class Books {
  readonly provider: string;
  /** A repeat under a known reference answers as the first call and has no effect of its own. */
  deduplicates = false;
  private readonly entries = new Map<string, Entry>();
  /** Apart, because a reversal carries the reference of what it reverses. */
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

  /** The entry with this id of ours, if it is of that kind. */
  findId(id: string, kind: EntryKind): Entry | undefined {
    const entry = this.entries.get(id.slice(id.indexOf('_') + 1));
    return entry?.kind === kind && entry.state !== 'coming' && idOf(entry) === id ? entry : undefined;
  }

  /** Changes that belong together are one line of the journal; they count only once the line is written. */
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
