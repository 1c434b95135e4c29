// One request of the API: the fault that is armed for it, its effect, and how its answer is sent. The first answer for
// a PayPal-Request-Id is kept for six hours, except an answer that says that PayPal failed.
import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../../core/durations.ts';
import { Refusal, refusal } from '../errors.ts';
import { type Fault, takeFault } from '../faults.ts';
import { catchUp } from '../../agenda.ts';
import type { World } from '../world.ts';
import { BAD_GATEWAY, type Reply, type Sent, changed, whole } from '../../line.ts';
import { json, refused } from './reply.ts';
import { type Call, perform } from './routes.ts';

const SERVER_ERROR = refused(refusal(500));
const SLOW_DOWN = json(429, { name: 'RATE_LIMIT_REACHED', message: 'Too many requests.', debug_id: 'simulated' });
const IN_PROGRESS = refused(refusal(409, 'PREVIOUS_REQUEST_IN_PROGRESS'));

type ByKind<T> = Readonly<Partial<Record<Fault['kind'], T>>>;

/** The call has no effect, and no key is kept. */
const BEFORE: ByKind<Sent> = {
  close_before: { reply: BAD_GATEWAY, way: 'close' },
  silence_before: { reply: BAD_GATEWAY, way: 'silence' },
  html_before: whole(BAD_GATEWAY),
  error_before: whole(SERVER_ERROR),
  too_many: whole({ ...SLOW_DOWN, headers: { ...SLOW_DOWN.headers, 'retry-after': '2' } }),
  in_progress: whole(IN_PROGRESS),
  credentials: whole(refused(refusal(401))),
  rights: whole(refused(refusal(403, 'PERMISSION_DENIED'))),
};

/** The call has its effect, and the answer is about something else than the request. */
const SPOILT: ByKind<(reply: Reply) => Reply> = {
  other_amount: (reply) => changed(reply, /"value":"(\d)/g, '"value":"1$1'),
  other_currency: (reply) => changed(reply, /"currency_code":"[A-Z]{3}"/g, '"currency_code":"AUD"'),
  other_reference: (reply) => changed(reply, /"(custom|invoice)_id":"[^"]*"/g, '"$1_id":"another"'),
};

/** The call has its effect and the true answer is kept, but it does not arrive as it was written. */
const AFTER: ByKind<(reply: Reply) => Sent> = {
  close_after: (reply) => ({ reply, way: 'close' }),
  half: (reply) => ({ reply, way: 'half' }),
  silence_after: (reply) => ({ reply, way: 'silence' }),
  html_after: () => whole(BAD_GATEWAY),
  error_after: () => whole(SERVER_ERROR),
};

export function answer(world: World, keys: Keys, call: Call): Sent {
  catchUp(world);
  const kind = takeFault(world.faults, call)?.kind;
  const before = kind && BEFORE[kind];
  if (before) return before;
  const reply = once({ keys, now_ms: world.now_ms() }, call, () => done(world, call));
  const spoilt = (kind && SPOILT[kind]?.(reply)) ?? reply;
  return (kind && AFTER[kind]?.(reply)) ?? whole(spoilt);
}

function done(world: World, call: Call): Reply {
  try {
    return perform(world, call);
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}

const KEPT_MS = 6 * HOUR_MS;
const MOST = 20_000;

type Kept = { readonly asked: string; readonly reply: Reply; readonly at_ms: number };
export type Keys = Map<string, Kept>;

/** A digest of the request: the body may hold card data, so it is not kept. */
const askedBy = ({ method, path, text }: Call): string =>
  createHash('sha256').update(`${method} ${path}\n${text}`).digest('base64url');

function once({ keys, now_ms }: { keys: Keys; now_ms: number }, call: Call, make: () => Reply): Reply {
  if (call.key === undefined || call.method === 'GET') return make();
  const name = `${call.account} ${call.key}`;
  const kept = keys.get(name);
  if (kept && kept.at_ms + KEPT_MS > now_ms)
    return kept.asked === askedBy(call) ? kept.reply : refused(refusal(422, 'INCOMPATIBLE_PARAMETER_VALUE'));
  const reply = make();
  keys.delete(name);
  keys.set(name, { asked: askedBy(call), reply, at_ms: now_ms });
  const oldest = keys.keys().next().value;
  if (keys.size > MOST && oldest !== undefined) keys.delete(oldest);
  return reply;
}
