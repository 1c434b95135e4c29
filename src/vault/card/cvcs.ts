// The cvc between tokenization and authorization: in the memory of this process only, at most 15 minutes, taken once
// (PCI DSS 3.3.1: never kept after authorization, never written anywhere).
import type { Clock } from '../../kit/clock.ts';

const LIFE_MS = 15 * 60_000;

export class Cvcs {
  private readonly clock: Clock;
  private readonly kept = new Map<string, { readonly digits: Buffer; readonly until: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Keeps the digits; the buffer belongs to this store from now on. */
  keep(token_hash: string, digits: Buffer): void {
    this.destroy(token_hash);
    this.kept.set(token_hash, { digits, until: this.clock.ticks() + LIFE_MS });
  }

  has(token_hash: string): boolean {
    const entry = this.kept.get(token_hash);
    return entry !== undefined && entry.until > this.clock.ticks();
  }

  /** A copy for a body that is about to be sent; the caller overwrites it. */
  copy(token_hash: string): Buffer | undefined {
    if (!this.has(token_hash)) return undefined;
    const { digits } = this.kept.get(token_hash) ?? {};
    if (!digits) return undefined;
    const copy = Buffer.allocUnsafeSlow(digits.length);
    digits.copy(copy);
    return copy;
  }

  /** Overwrites the digits: the authorization is leaving. */
  destroy(token_hash: string): void {
    this.kept.get(token_hash)?.digits.fill(0);
    this.kept.delete(token_hash);
  }

  /** Overwrites what is too old; called now and then, and with `all` at the end. */
  sweep(which: 'old' | 'all' = 'old'): void {
    const now = this.clock.ticks();
    for (const [token_hash, { until }] of this.kept) if (which === 'all' || until <= now) this.destroy(token_hash);
  }
}
