// Idempotency-Keys past their time (contract 2.9) go, a stretch of time after the other: those that are kept for longer
// are many, and no statement walks all of them again and again.
import { DAY_MS, HOUR_MS } from '../../../core/durations.ts';
import { KEY_HOURS } from '../../../kit/http/idempotency.ts';
import type { Tools } from '../../tools.ts';
import { findJob, forgetKeys, moveJob } from './expiry-store.ts';

const KEPT = [
  { name: 'forget keys', of_orders: false, kept_ms: KEY_HOURS * HOUR_MS },
  { name: 'forget keys of orders', of_orders: true, kept_ms: 30 * DAY_MS },
] as const;
/** The longest stretch; nothing is older than it when the first one begins. */
const LONGEST_MS = 60 * DAY_MS;

/**
 * Forgets a stretch, and answers whether there is more. Where one is too much for a statement the next ones are
 * shorter.
 */
export function keyForgetter(tools: Pick<Tools, 'db'>): () => Promise<boolean> {
  let span_ms = HOUR_MS;
  return async () => {
    try {
      let more = false;
      for (const kept of KEPT) more = (await forgetStretch(tools, kept, span_ms)) || more;
      span_ms = Math.min(LONGEST_MS, span_ms * 2);
      return more;
    } catch (error) {
      span_ms = Math.max(1000, Math.floor(span_ms / 10));
      throw error;
    }
  };
}

async function forgetStretch({ db }: Pick<Tools, 'db'>, kept: (typeof KEPT)[number], span_ms: number) {
  const { name, of_orders, kept_ms } = kept;
  const { at, now } = await findJob(db, name);
  const end = now.getTime() - kept_ms;
  const from = at?.getTime() ?? 0;
  const until = Math.min(end, Math.max(from + span_ms, end - LONGEST_MS));
  await forgetKeys(db, { after: new Date(from), until: new Date(until), of_orders });
  await moveJob(db, { name, position: null, at: new Date(until) });
  return until < end;
}
