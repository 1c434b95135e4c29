// Idempotency keys: https://docs.stripe.com/api/idempotent_requests. The first answer of a key is kept for a day, even
// an answer with status 500.
import { createHash } from 'node:crypto';
import { DAY_MS } from '../../../core/durations.ts';
import { OTHER_REQUEST } from '../errors.ts';
import type { Reply } from '../../line.ts';
import { refused } from './reply.ts';
import type { Call } from './routes.ts';

const MOST = 20_000;

type Kept = { readonly asked: string; readonly reply: Reply; readonly at_ms: number };
export type Keys = Map<string, Kept>;

/** A digest of the request: the body may hold card data, so it is not kept. */
const askedBy = ({ method, path, text }: Call): string =>
  createHash('sha256').update(`${method} ${path}\n${text}`).digest('base64url');

export function once({ keys, now_ms }: { keys: Keys; now_ms: number }, call: Call, make: () => Reply): Reply {
  if (call.key === undefined || call.method === 'GET') return make();
  const name = `${call.account} ${call.key}`;
  const kept = keys.get(name);
  if (kept && kept.at_ms + DAY_MS > now_ms) {
    if (kept.asked !== askedBy(call)) return refused(OTHER_REQUEST);
    return { ...kept.reply, headers: { ...kept.reply.headers, 'idempotent-replayed': 'true' } };
  }
  const reply = make();
  keys.delete(name);
  keys.set(name, { asked: askedBy(call), reply, at_ms: now_ms });
  const oldest = keys.keys().next().value;
  if (keys.size > MOST && oldest !== undefined) keys.delete(oldest);
  return reply;
}
