// One request of the API: its account, the fault that is armed for it, its effect, and how its answer is sent.
import { type Fault, takeFault } from '../control/faults.ts';
import { KEY_IN_USE, RATE_LIMIT, Refusal, SERVER_ERROR, turnedAway } from '../errors.ts';
import { catchUp } from '../../agenda.ts';
import type { World } from '../world.ts';
import { type Keys, once } from './keys.ts';
import { BAD_GATEWAY, type Reply, type Sent, changed, whole } from '../../line.ts';
import { json, refused } from './reply.ts';
import { type Call, perform } from './routes.ts';

const SLOW_DOWN: Reply = { ...refused(RATE_LIMIT), headers: { ...refused(RATE_LIMIT).headers, 'retry-after': '2' } };

type ByKind<T> = Readonly<Partial<Record<Fault['kind'], T>>>;

/** The call has no effect, and no key is kept. */
const BEFORE: ByKind<Sent> = {
  close_before: { reply: BAD_GATEWAY, way: 'close' },
  silence_before: { reply: BAD_GATEWAY, way: 'silence' },
  html_before: whole(BAD_GATEWAY),
  too_many: whole(SLOW_DOWN),
  key_in_use: whole(refused(KEY_IN_USE)),
  credentials: whole(refused(turnedAway(401, 'Invalid API Key provided: sk_test_***'))),
  rights: whole(refused(turnedAway(403, 'The provided key does not have the required permissions.'))),
};

/** The call has its effect, and this answer is kept under the key. */
const SPOILT: ByKind<(reply: Reply) => Reply> = {
  error_after: () => refused(SERVER_ERROR),
  other_amount: (reply) => changed(reply, /("amount(?:_capturable|_received)?": )([1-9]\d*)/g, '$11$2'),
  other_currency: (reply) => changed(reply, /"currency": "[a-z]{3}"/g, '"currency": "xaf"'),
  other_id: (reply) => changed(reply, /"id": "([a-z]+)_/g, '"id": "$1_Other'),
  other_reference: (reply) => changed(reply, /"operation_id": "[^"]*"/g, '"operation_id": "another"'),
};

/** The call has its effect and its answer is kept, but it does not arrive as it was written. */
const AFTER: ByKind<(reply: Reply) => Sent> = {
  close_after: (reply) => ({ reply, way: 'close' }),
  half: (reply) => ({ reply, way: 'half' }),
  silence_after: (reply) => ({ reply, way: 'silence' }),
  html_after: () => whole(BAD_GATEWAY),
};

export function answer(world: World, keys: Keys, call: Call): Sent {
  catchUp(world);
  const kind = takeFault(world.faults, call)?.kind;
  const before = kind && BEFORE[kind];
  if (before) return before;
  const make = () => (kind === 'error_before' ? refused(SERVER_ERROR) : done(world, call));
  const spoil = kind && SPOILT[kind];
  const reply = once({ keys, now_ms: world.now_ms() }, call, () => (spoil ? spoil(make()) : make()));
  return (kind && AFTER[kind]?.(reply)) ?? whole(reply);
}

function done(world: World, call: Call): Reply {
  try {
    return json(200, perform(world, call));
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}
