// Visa's count of declines for wrong data, as a metric: it holds nothing back.
import { dataQualityOn } from '../../core/retries/caps.ts';
import { dayOf } from '../../core/retries/day.ts';
import { gauge } from '../../kit/metrics/registry.ts';
import type { Tools } from '../tools.ts';
import { countDataDeclines } from './store.ts';

const data_declines = gauge(
  'florin_visa_data_declines_ratio',
  'Declines for wrong data of the merchant number that has most, as a share of those from which on each costs',
);
/** Counted no more often than this: it changes over days. */
const COUNTED_MS = 60_000;

/** Watches Visa's count of declines for wrong data, until the function that it answers is called. */
export function watchDataDeclines({ db, clock, caps }: Pick<Tools, 'db' | 'clock' | 'caps'>): () => void {
  let counted: { readonly at: number; readonly share: Promise<number | undefined> } | undefined;
  return data_declines.from(async () => {
    if (!counted || clock.ticks() - counted.at > COUNTED_MS)
      counted = { at: clock.ticks(), share: shareOfDataDeclines({ db, caps }, clock.now()) };
    const share = await counted.share;
    return share === undefined ? [] : [[{}, share]];
  });
}

/** Undefined: nothing is published for that day. */
export async function shareOfDataDeclines(
  { db, caps }: Pick<Tools, 'db' | 'caps'>,
  now: Date,
): Promise<number | undefined> {
  const cap = dataQualityOn(caps.table().rows, dayOf(now));
  return cap && (await countDataDeclines(db, cap.window_s)) / cap.limit;
}
