// Provider answers that the money zone has not committed yet. One that is settled at once, as nearly all are, is never
// written; one that is not within a moment is kept sealed, so that recovery finds it. Losing it costs an inquiry.
import type { Log } from '../../kit/log.ts';

const PATIENCE_MS = 300;

type Kept = { readonly timer: NodeJS.Timeout; readonly write: () => Promise<void> };

export class Answers {
  private readonly kept = new Map<string, Kept>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  /** `write` keeps the answer; it runs in a moment unless `settled` comes first. */
  keep(operation_id: string, write: () => Promise<void>): void {
    const timer = setTimeout(() => void this.flush(operation_id), PATIENCE_MS);
    this.kept.set(operation_id, { timer, write });
  }

  /** The outcome is committed: the answer is not asked for again. */
  settled(operation_id: string): void {
    clearTimeout(this.kept.get(operation_id)?.timer);
    this.kept.delete(operation_id);
  }

  /** Writes what is still waiting: before the process ends, and before a question about one operation. */
  async flush(operation_id?: string): Promise<void> {
    const ids = operation_id === undefined ? [...this.kept.keys()] : [operation_id];
    for (const id of ids) {
      const kept = this.kept.get(id);
      this.settled(id);
      await kept
        ?.write()
        .catch((error: unknown) =>
          this.log.warn({ operation_id: id, error: String(error) }, 'a provider answer was not kept'),
        );
    }
  }
}
