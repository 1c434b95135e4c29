// The messages of one line that wait for their answers, each with a timer of its own.
import type { LineClock, LineUnknown } from './outside.ts';

export type LineAnswer = { readonly kind: 'answered'; readonly body: Buffer; /** Field 39. */ readonly code: string };

const LATE_KEPT = 1000;

export class InFlight {
  private readonly clock: LineClock;
  private readonly waiting = new Map<string, (answer: LineAnswer | LineUnknown) => void>();
  /** Messages that were given up: an answer to one of them is late, not strange. */
  private readonly late = new Set<string>();
  private idle = Promise.withResolvers<void>();

  constructor(clock: LineClock) {
    this.clock = clock;
  }

  get size(): number {
    return this.waiting.size;
  }

  has(key: string): boolean {
    return this.waiting.has(key);
  }

  /** Waits for the answer to a message that is being sent. */
  async wait(key: string, ms: number): Promise<LineAnswer | LineUnknown> {
    const { promise, resolve } = Promise.withResolvers<LineAnswer | LineUnknown>();
    this.waiting.set(key, resolve);
    const timer = this.clock.timer(ms);
    void timer.done.then(() => this.giveUp(key, resolve));
    const answer = await promise;
    timer.end();
    if (this.waiting.size === 0) this.idle.resolve();
    return answer;
  }

  /** Done when nothing is in flight. */
  async emptied(): Promise<void> {
    if (this.waiting.size === 0) return;
    this.idle = Promise.withResolvers<void>();
    await this.idle.promise;
  }

  /**
   * Was it waited for? The answer to a message that was given up counts as late once; any other unknown one is a stray.
   */
  arrived(key: string, answer: LineAnswer | LineUnknown): 'awaited' | 'late' | 'stray' {
    const waiting = this.waiting.get(key);
    if (!waiting) return this.late.delete(key) ? 'late' : 'stray';
    this.waiting.delete(key);
    waiting(answer);
    return 'awaited';
  }

  /** The line is lost. */
  end(): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const waiting of all) waiting({ kind: 'unknown', why: 'closed' });
  }

  private giveUp(key: string, mine: (answer: LineUnknown) => void): void {
    // answered long ago, and perhaps another one is waited for under the same key
    if (this.waiting.get(key) !== mine) return;
    this.waiting.delete(key);
    this.late.add(key);
    const [oldest] = this.late;
    if (this.late.size > LATE_KEPT && oldest !== undefined) this.late.delete(oldest);
    mine({ kind: 'unknown', why: 'timeout' });
  }
}
