// GET /sandbox/clock and POST /sandbox/clock/advance (contract 15.4): one clock for the whole deployment, which never
// goes back.
import { DAY_MS, DAY_S } from '../../../core/durations.ts';
import { datetime, int } from '../../../core/fields.ts';
import { refuseField } from '../../../core/refusals.ts';
import { result } from '../../../core/results.ts';
import type { Read, Reading, Shape } from '../../../core/shape.ts';
import { afterCommit } from '../../../kit/database.ts';
import { isRepeat, keyMismatch, keyOf, replayed } from '../../../kit/http/idempotency.ts';
import type { Answer, RouteRequest, Repeated } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import { findUsedKey } from '../../store.ts';
import type { Tools } from '../../tools.ts';
import { aimClock, readClock } from './store.ts';

const MOST_S = 400 * DAY_S;

export const ADVANCE = { seconds: int(1, MOST_S), to: datetime } as const satisfies Shape;

type Advance = Read<typeof ADVANCE>;

const PATIENCE_MS = 25_000;
/**
 * Ten years: ids count the seconds since 1970 in 32 bits, and certificates and cards end. Two advances at once may pass
 * it together, by one MOST_S at most each: ids last for seventy years more.
 */
const FURTHEST_MS = 10 * 365 * DAY_MS;
const ROUTE = 'POST /sandbox/clock/advance';

export function checkAdvance(
  { seconds, to }: Partial<Advance>,
  reading: Reading,
  { now }: { readonly now: Date },
): void {
  if (reading.problems.length > 0) return;
  if (seconds === undefined && to === undefined) {
    reading.refuse('seconds', 'is required, or to', 'parameter_missing');
    return;
  }
  if (seconds !== undefined && to !== undefined) reading.refuse('to', 'and seconds exclude each other');
  const by_ms = to === undefined ? 0 : Date.parse(to) - now.getTime();
  if (to !== undefined && by_ms <= 0) reading.refuse('to', 'must be later than now: the clock never goes back');
  if (by_ms > MOST_S * 1000) reading.refuse('to', `must be at most ${MOST_S} seconds ahead`);
}

export async function readSandboxClock(tools: Tools): Promise<Answer> {
  const { now, shift_ms, next_in_ms } = await tools.test_clock.look();
  const next_due = next_in_ms === undefined ? null : new Date(now.getTime() + Math.max(0, next_in_ms)).toISOString();
  return { body: { result: result('request_completed'), ...stateOf(now, shift_ms), next_due } };
}

/**
 * Answers when all work due until then has run, or after 25 s: then it goes on. An Idempotency-Key moves the clock
 * once.
 */
export async function advanceClock(tools: Tools, request: RouteRequest<Account, Advance, unknown>): Promise<Answer> {
  const { body } = request;
  const { merchant_account_id } = request.caller;
  const kept = await replayAdvance(tools, request);
  if (kept) return kept;
  const before = await readClock(tools.db);
  const goal_ms =
    body.to === undefined
      ? Math.max(before.shift_ms, before.goal_ms) + (body.seconds ?? 0) * 1000
      : Date.parse(body.to) - tools.clock.now().getTime() + tools.clock.shift_ms();
  if (goal_ms > FURTHEST_MS) {
    const field = body.to === undefined ? 'seconds' : 'to';
    throw refuseField(field, 'parameter_invalid', 'would move the clock more than ten years from the real one');
  }
  const aimed = await aimClock(tools.db.tenant(merchant_account_id), {
    merchant_account_id,
    id: tools.chance.id(),
    by_ms: body.seconds === undefined ? null : body.seconds * 1000,
    to: body.to === undefined ? null : new Date(body.to),
    key: keyOf(request, ROUTE),
  });
  if (aimed) return afterCommit(() => reached(tools, aimed.goal_ms));
  const taken = await replayAdvance(tools, request);
  if (!taken) throw keyMismatch();
  return taken;
}

/** A repeat waits for the same move; how far it is to go may have grown since. */
export async function replayAdvance(tools: Tools, request: Repeated<Account>): Promise<Answer | undefined> {
  const { merchant_account_id } = request.caller;
  const key = keyOf(request, ROUTE);
  const used = await findUsedKey(tools.db.tenant(merchant_account_id), key);
  if (!used || !key || !isRepeat(used, key)) return undefined;
  const { goal_ms } = await readClock(tools.db);
  return replayed(await reached(tools, goal_ms));
}

async function reached(tools: Tools, goal_ms: number): Promise<Answer> {
  const settled = await tools.test_clock.reach(goal_ms, PATIENCE_MS);
  const { shift_ms } = await readClock(tools.db);
  return { body: { result: result('request_completed'), ...stateOf(tools.clock.now(), shift_ms), settled } };
}

function stateOf(now: Date, shift_ms: number): object {
  return { now: now.toISOString(), offset_seconds: shift_ms / 1000 };
}
