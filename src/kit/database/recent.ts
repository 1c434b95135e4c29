// Ids of what was acknowledged in the last minutes, 24 bytes each: where the database turns out to have another
// history, those that are not in it are named in the log.
import { systemClock } from '../clock.ts';

/** So long an id is kept, and a little longer: slices are forgotten whole. */
const KEPT_MS = 120_000;
const SLICE_MS = 10_000;
/** 12 bytes of the account, 12 of the id. */
const PAIR_BYTES = 24;
const HALF_BYTES = 12;

type Slice = { readonly since: number; bytes: Buffer; used: number };
export type Acknowledged = { readonly merchant_account_id: string; readonly id: string };

export class Recent {
  private readonly slices: Slice[] = [];
  private readonly clock: Pick<ReturnType<typeof systemClock>, 'ticks'>;

  constructor(clock: Pick<ReturnType<typeof systemClock>, 'ticks'> = systemClock()) {
    this.clock = clock;
  }

  note({ merchant_account_id, id }: Acknowledged): void {
    const slice = this.sliceOf(this.clock.ticks());
    if (slice.used + PAIR_BYTES > slice.bytes.length)
      slice.bytes = Buffer.concat([slice.bytes], 2 * slice.bytes.length);
    slice.bytes.write(merchant_account_id, slice.used, HALF_BYTES, 'hex');
    slice.bytes.write(id, slice.used + HALF_BYTES, HALF_BYTES, 'hex');
    slice.used += PAIR_BYTES;
  }

  /** Ids by account, the oldest first. */
  byAccount(): ReadonlyMap<string, readonly string[]> {
    this.forget(this.clock.ticks());
    const all = new Map<string, string[]>();
    for (const { bytes, used } of this.slices)
      for (let at = 0; at < used; at += PAIR_BYTES) {
        const account = bytes.toString('hex', at, at + HALF_BYTES);
        const ids = all.get(account) ?? [];
        all.set(account, ids);
        ids.push(bytes.toString('hex', at + HALF_BYTES, at + PAIR_BYTES));
      }
    return all;
  }

  private sliceOf(now: number): Slice {
    const last = this.slices.at(-1);
    if (last && now - last.since < SLICE_MS) return last;
    this.forget(now);
    const slice = { since: now, bytes: Buffer.alloc(64 * PAIR_BYTES), used: 0 };
    this.slices.push(slice);
    return slice;
  }

  private forget(now: number): void {
    while (this.slices[0] && now - this.slices[0].since > KEPT_MS + SLICE_MS) this.slices.shift();
  }
}
