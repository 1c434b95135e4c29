// The books of one simulated provider: what it believes was done. Nothing is shared with our tables, so books that agree
// with our ledger prove something. They know of a card what was decided about it and its last four digits, nothing more.
import { type Entry, type EntryKind, idOf } from './entry.ts';

export class Books {
  readonly provider: string;
  private readonly entries = new Map<string, Entry>();
  /** Apart, because a reversal carries the reference of what it reverses. */
  private readonly reversals = new Map<string, Entry>();
  private readonly append: (line: string) => void;

  constructor(provider: string, append: (line: string) => void) {
    this.provider = provider;
    this.append = append;
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
    return entry?.kind === kind && idOf(entry) === id ? entry : undefined;
  }

  /** What changes together stands in one line of the journal, and is believed only once the line is written. */
  record(...changed: readonly Entry[]): void {
    this.append(JSON.stringify(changed));
    for (const entry of changed) this.restore(entry);
  }

  restore(entry: Entry): void {
    (entry.kind === 'reversal' ? this.reversals : this.entries).set(entry.reference, entry);
  }

  *list(): Generator<Entry> {
    yield* this.entries.values();
    yield* this.reversals.values();
  }
}
