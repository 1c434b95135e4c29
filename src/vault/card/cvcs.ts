// The cvc between tokenization and authorization: in the memory of this process only, at most 15 minutes, taken once
// (PCI DSS 3.3.1: never kept after authorization, never written anywhere).
import type { Clock } from '../../kit/clock.ts';
import { privateCopy } from '../../kit/crypto.ts';

const LIFE_MS = 15 * 60_000;

export class Cvcs {
  private readonly clock: Clock;
  private readonly kept = new Map<string, { readonly digits: Buffer; readonly until: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /**
   * Keeps the digits; the buffer belongs to this store from now on. `checkout_id`: they serve that checkout alone (contract
   * 6.3).
   */
  keep(token_hash: string, digits: Buffer, checkout_id: string | null = null): void {
    const name = nameOf(token_hash, checkout_id);
    this.forget(name);
    this.kept.set(name, { digits, until: this.clock.ticks() + LIFE_MS });
  }

  has(token_hash: string, checkout_id: string | null): boolean {
    return this.find(token_hash, checkout_id) !== undefined;
  }

  /** A copy for a body that is about to be sent; the caller overwrites it. */
  copy(token_hash: string, checkout_id: string | null): Buffer | undefined {
    const digits = this.kept.get(this.find(token_hash, checkout_id) ?? '')?.digits;
    return digits && privateCopy(digits);
  }

  /** Overwrites the digits: the authorization is leaving. */
  destroy(token_hash: string, checkout_id: string | null): void {
    const name = this.find(token_hash, checkout_id);
    if (name !== undefined) this.forget(name);
  }

  /** Those for the checkout before those for any. */
  private find(token_hash: string, checkout_id: string | null): string | undefined {
    const names = [nameOf(token_hash, checkout_id), nameOf(token_hash, null)];
    return names.find((name) => (this.kept.get(name)?.until ?? 0) > this.clock.ticks());
  }

  private forget(name: string): void {
    this.kept.get(name)?.digits.fill(0);
    this.kept.delete(name);
  }

  /** Overwrites what is too old; called now and then, and with `all` at the end. */
  sweep(which: 'old' | 'all' = 'old'): void {
    const now = this.clock.ticks();
    for (const [name, { until }] of this.kept) if (which === 'all' || until <= now) this.forget(name);
  }
}

function nameOf(token_hash: string, checkout_id: string | null): string {
  return checkout_id === null ? token_hash : `${token_hash} ${checkout_id}`;
}
