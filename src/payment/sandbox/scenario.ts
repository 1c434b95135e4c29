// Armed faults (contract 15.4): POST, GET and DELETE /sandbox/scenario. What is armed stands at the simulated provider,
// under the account that armed it, and meets this account's calls only.
import { DAY_S } from '../../core/durations.ts';
import { int, money, oneOf, text } from '../../core/fields.ts';
import { Refusal, refuseProblems } from '../../core/refusals.ts';
import { result } from '../../core/results.ts';
import { type Read, type Reading, type Shape, objectOf, required } from '../../core/shape.ts';
import { sha256 } from '../../kit/crypto.ts';
import { afterCommit } from '../../kit/database.ts';
import { keyMismatch, replayed } from '../../kit/http/idempotency.ts';
import type { Answer, RouteRequest } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import { type WriteRequest, once, wasUsed } from '../merchant/once.ts';
import type { Tools } from '../tools.ts';
import { SENDING_FAULTS, armSending, clearSending, isKeyOfSending, listSending } from './faults/sending.ts';
import { control } from './control.ts';

/**
 * The faults that happen to calls, at a provider and at directory and bank; those of notifications happen to our own
 * sending (faults/sending.ts).
 */
export const FAULTS = [
  'refuse_connection',
  'drop_before',
  'timeout_not_taken',
  'timeout_taken',
  'close_mid_response',
  'answer_twice',
  'late_answer',
  'http_500_before',
  'http_500_after',
  'garbage',
  'wrong_amount',
  'wrong_currency',
  'wrong_reference',
  'decline',
  'pending',
  'callback_first',
  'callback_twice',
  'callback_never',
  'provider_down',
] as const;

export const SCENARIO = {
  operation: required(
    oneOf('authorize', 'direct_capture', 'capture', 'refund', 'cancel', 'inquiry', 'authentication', 'notification'),
  ),
  fault: required(oneOf(...FAULTS)),
  times: int(1, 100),
  provider: oneOf('simulator', 'simulator_b'),
  code: text(6),
  delay_ms: int(0, 60_000),
  seconds: int(1, DAY_S),
  advice: objectOf({ source: oneOf('mastercard', 'visa'), code: text(2) }),
  response_code: text(2),
  match: objectOf({
    order_id: text(24),
    order_merchant_id: text(255),
    amount: money,
    card_4_digits: text(4),
  }),
} as const satisfies Shape;

export type ScenarioRequest = Read<typeof SCENARIO>;

const LASTING: readonly string[] = ['provider_down', 'pending', 'callback_never'];

/** Checks which members go with which fault; whether a code can end the operation, the simulated provider decides. */
export function checkScenario(body: Partial<ScenarioRequest>, reading: Reading): void {
  const { fault, seconds } = body;
  if (fault === undefined) return;
  if (body.operation === 'notification') checkSending(body, reading);
  for (const name of ['code', 'advice', 'response_code'] as const)
    if (body[name] !== undefined && fault !== 'decline') reading.refuse(name, 'goes with the fault decline only');
  if (seconds !== undefined && !LASTING.includes(fault))
    reading.refuse('seconds', `goes with the faults ${LASTING.join(', ')} only`);
}

function checkSending(body: Partial<ScenarioRequest>, reading: Reading): void {
  if (!SENDING_FAULTS.some((name) => name === body.fault))
    reading.refuse('fault', `does not go with notifications: ${SENDING_FAULTS.join(', ')} do`);
  for (const name of ['provider', 'delay_ms'] as const)
    if (body[name] !== undefined) reading.refuse(name, 'does not go with notifications: we send them');
}

const MESSAGES: Readonly<Record<string, string>> = {
  fault: 'does not go with this operation',
  code: 'is no code that ends this operation: docs/codes.md lists them by phase',
  advice: 'is of an authorization, and a code of two characters with its source: {"source":"mastercard","code":"25"}',
  response_code: 'is of an authorization, and two characters: 51',
};

type Arming = RouteRequest<Account, ScenarioRequest, unknown>;

export async function armScenario(tools: Tools, request: Arming): Promise<Answer> {
  // a key that armed something of the other kind came with another body
  if (request.body.operation === 'notification') {
    if (await isKeyOfCalls(tools, request)) throw keyMismatch();
    return armSending(tools, request);
  }
  if (await isKeyOfSending(tools, request)) throw keyMismatch();
  return armCall(tools, request);
}

async function isKeyOfCalls(tools: Tools, request: Arming): Promise<boolean> {
  const used = onceOf(request);
  if (!used) return false;
  const query = new URLSearchParams({ key: used.key }).toString();
  const { body } = await control(tools, { method: 'GET', path: `/scenarios/once?${query}` });
  return typeof body['fingerprint'] === 'string';
}

function onceOf({ caller, idempotency_key: key, canonical }: Arming) {
  const whose = `${caller.merchant_account_id} ${key}`;
  return key === undefined ? undefined : { key: sha256(whose), fingerprint: sha256(canonical()) };
}

async function armCall(tools: Tools, request: Arming): Promise<Answer> {
  const { merchant_account_id } = request.caller;
  const key = onceOf(request);
  const { status, body } = await control(tools, {
    method: 'POST',
    path: '/scenarios',
    body: { ...request.body, id: tools.chance.id(), merchant_account_id, ...(key && { once: key }) },
  });
  if (status === 409) throw keyMismatch();
  if (status === 429)
    throw new Refusal('rate_limited', {
      detail: 'too many scenarios are armed: remove them with DELETE /sandbox/scenario',
    });
  const { members } = body;
  if (status === 400 && Array.isArray(members)) {
    const problems = members.map((member: unknown) => {
      const field = String(member);
      return { field, refusal: 'parameter_invalid', message: MESSAGES[field] ?? 'is not valid' } as const;
    });
    throw refuseProblems(problems) ?? new Error('the simulator refused a scenario and named no member');
  }
  const answer = { body: { result: result('request_completed'), scenario: viewScenario(body) } };
  return body['replayed'] === true ? replayed(answer) : answer;
}

export async function listScenarios(tools: Tools, { merchant_account_id }: Account): Promise<Answer> {
  const { body } = await control(tools, { method: 'GET', path: `/scenarios?${of(merchant_account_id)}` });
  const armed: readonly Armed[] = Array.isArray(body['scenarios']) ? body['scenarios'] : [];
  const all = [...armed, ...(await listSending(tools, merchant_account_id))];
  // ids follow time
  const oldest = all.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
  return { body: { result: result('request_completed'), scenarios: oldest.map(viewScenario) } };
}

export async function removeScenarios(tools: Tools, { merchant_account_id }: Account): Promise<void> {
  await control(tools, { method: 'POST', path: `/scenarios/clear?${of(merchant_account_id)}` });
  // the simulated provider has forgotten its part
  await afterCommit(() => clearSending(tools, merchant_account_id));
}

/** Once under an Idempotency-Key, which is taken when all is removed: until then a repeat removes again. */
export async function removeOnce(tools: Tools, request: WriteRequest<unknown, void>): Promise<Answer> {
  const none = async () => ({ body: { result: result('request_completed'), scenarios: [] } });
  if (!(await wasUsed(tools, request))) await removeScenarios(tools, request.caller);
  return once(tools, request, { object_id: tools.chance.id(), work: async () => {}, answer: none, again: none });
}

const of = (merchant_account_id: string): string => new URLSearchParams({ merchant_account_id }).toString();

type Armed = Readonly<Record<string, unknown>>;

/** A scenario as it is answered; what was not given is left out. */
function viewScenario(armed: Armed): object {
  const { id, operation, fault, times, remaining, match } = armed;
  const { provider, code, delay_ms, seconds, advice, response_code } = armed;
  const may = { provider, code, delay_ms, seconds, advice, response_code };
  const given = Object.entries(may).filter(([, value]) => (value ?? null) !== null);
  return { _id: id, operation, fault, times, remaining, ...Object.fromEntries(given), match };
}
