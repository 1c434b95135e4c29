// The cvc between tokenization and authorization: volatile, at most 15 minutes, taken once (PCI DSS 3.3.1: never kept
// after authorization). The cryptogram of a network token is kept here too, and no longer. This form is for one vault
// process: its memory, and nothing else. cvc/sealed-cvcs.ts is the one for several.
import { MINUTE_MS } from '../../core/durations.ts';
import type { Clock } from '../../kit/clock.ts';

const CVC_LIFE_MS = 15 * MINUTE_MS;

/** `checkout_id`: it serves that checkout only. `until`: no longer than its token. */
export type CvcBounds = { readonly checkout_id?: string | null; readonly until?: Date | null };

export type Cvcs = {
  /**
   * Keeps the digits for one payment; the buffer belongs to this store from now on. An earlier one of the same bounds
   * goes.
   */
  keep(token_hash: string, digits: Buffer, bounds?: CvcBounds): Promise<void>;
  /** Whether a payment of this checkout would find one. */
  has(token_hash: string, checkout_id?: string | null): Promise<boolean>;
  /**
   * Takes it out for an authorization that is about to leave: it is given once. What was kept for no checkout in
   * particular goes too. The caller overwrites it, or gives it back when no byte left.
   */
  take(token_hash: string, checkout_id?: string | null): Promise<TakenCvc | undefined>;
  /** Overwritten instead where another was typed since. */
  giveBack(token_hash: string, taken: TakenCvc): Promise<void>;
  /** Overwrites whatever waits for a token, for any checkout: its card was removed. */
  forget(token_hash: string): Promise<void>;
  /** Overwrites what is too old; called now and then, and with `all` when the process ends. */
  sweep(which?: 'old' | 'all'): Promise<void>;
};

export type TakenCvc = { readonly digits: Buffer; readonly until: Date; readonly checkout_id: string | null };

/** Milliseconds that a cvc may still be kept: 15 minutes, not beyond its token. */
export function cvcLife(now: Date, until: Date | null | undefined): number {
  return Math.min(CVC_LIFE_MS, until ? until.getTime() - now.getTime() : CVC_LIFE_MS);
}

type Entry = TakenCvc & { readonly ends: number };

export class MemoryCvcs implements Cvcs {
  private readonly clock: Clock;
  private readonly kept = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async keep(token_hash: string, digits: Buffer, { checkout_id = null, until }: CvcBounds = {}): Promise<void> {
    const now = this.clock.now();
    const life = cvcLife(now, until);
    this.destroy(nameOf(token_hash, checkout_id));
    const ends = this.clock.lived() + life;
    this.kept.set(nameOf(token_hash, checkout_id), {
      digits,
      checkout_id,
      ends,
      until: new Date(now.getTime() + life),
    });
  }

  async has(token_hash: string, checkout_id: string | null = null): Promise<boolean> {
    return this.usable(token_hash, checkout_id).length > 0;
  }

  async take(token_hash: string, checkout_id: string | null = null): Promise<TakenCvc | undefined> {
    const [first, ...others] = this.usable(token_hash, checkout_id);
    for (const name of others) this.destroy(name);
    const taken = first === undefined ? undefined : this.kept.get(first);
    if (first !== undefined) this.kept.delete(first);
    return taken;
  }

  async giveBack(token_hash: string, taken: TakenCvc): Promise<void> {
    if (await this.has(token_hash, taken.checkout_id)) taken.digits.fill(0);
    else await this.keep(token_hash, taken.digits, taken);
  }

  async forget(token_hash: string): Promise<void> {
    for (const name of this.kept.keys()) if (name.startsWith(nameOf(token_hash, null))) this.destroy(name);
  }

  async sweep(which: 'old' | 'all' = 'old'): Promise<void> {
    const now = this.clock.lived();
    for (const [name, { ends }] of this.kept) if (which === 'all' || ends <= now) this.destroy(name);
  }

  /** The one typed for this checkout first. */
  private usable(token_hash: string, checkout_id: string | null): readonly string[] {
    const names = [...new Set([nameOf(token_hash, checkout_id), nameOf(token_hash, null)])];
    return names.filter((name) => (this.kept.get(name)?.ends ?? 0) > this.clock.lived());
  }

  private destroy(name: string): void {
    this.kept.get(name)?.digits.fill(0);
    this.kept.delete(name);
  }
}

function nameOf(token_hash: string, checkout_id: string | null): string {
  return `${token_hash} ${checkout_id ?? ''}`;
}
