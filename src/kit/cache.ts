// Remembers what a load found for a short, fixed time, and lets callers who ask together share one load.
import type { Clock } from './clock.ts';

type Entry<T> = { readonly value: Promise<T | undefined>; readonly until: number };

export class FreshCache<T> {
  private readonly entries = new Map<string, Entry<T>>();
  private readonly options: { readonly clock: Clock; readonly fresh_ms: number; readonly max: number };

  constructor(options: { readonly clock: Clock; readonly fresh_ms: number; readonly max: number }) {
    this.options = options;
  }

  /** The value of `key`, no older than `fresh_ms`. What was not found or failed is not remembered. */
  async get(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const now = this.options.clock.ticks();
    const known = this.entries.get(key);
    if (known && known.until > now) return known.value;
    const value = load();
    if (!known && this.entries.size >= this.options.max) this.entries.delete(this.entries.keys().next().value ?? '');
    this.entries.set(key, { value, until: now + this.options.fresh_ms });
    const found = await value.catch((error: unknown) => {
      this.entries.delete(key);
      throw error;
    });
    if (found === undefined) this.entries.delete(key);
    return found;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}

/**
 * Does `work` of a key at once, and not again within `every_ms` unless it failed. No caller waits for it: what calls it
 * often pays a look into a map.
 */
export function seldom<A>(
  { clock, every_ms, max }: { readonly clock: Clock; readonly every_ms: number; readonly max: number },
  work: (key: string, about: A) => Promise<void>,
): (key: string, about: A) => void {
  const last = new Map<string, number>();
  return (key, about) => {
    const now = clock.ticks();
    const at = last.get(key);
    if (at !== undefined && at + every_ms > now) return;
    if (last.size >= max) last.clear();
    last.set(key, now);
    work(key, about).catch(() => last.delete(key));
  };
}
