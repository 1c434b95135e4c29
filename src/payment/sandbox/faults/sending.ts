// Armed faults of our own sending (contract 15.4, operation notification): a merchant tries how its endpoint and our
// retries take trouble. They stand in our database, not at the simulated provider, and meet this account's
// notifications only.
import { Refusal } from '../../../core/refusals.ts';
import { result } from '../../../core/results.ts';
import { keyOf, repeatOf, replayed } from '../../../kit/http/idempotency.ts';
import type { Answer, RouteRequest } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import { findUsedKey } from '../../store.ts';
import type { Tools } from '../../tools.ts';
import { type SendingFaultRow, armFault, dropFaults, findFaults, findRemaining, takeFault } from './store.ts';

export const SENDING_FAULTS = [
  'refuse_connection',
  'timeout_not_taken',
  'timeout_taken',
  'http_500_before',
  'http_500_after',
] as const;
type SendingFault = (typeof SENDING_FAULTS)[number];

/** The facts of a notification that a scenario may ask for; null: it has none. */
export type SendingFacts = {
  readonly order_id: string | null;
  readonly order_merchant_id: string | null;
  /** Major units, as decimal text. */
  readonly amount: string | null;
  readonly card_4_digits: string | null;
};

/**
 * The fault that this try to send meets, which is used up by it: the oldest that fits. Undefined: none. Never in
 * production.
 */
export async function takeNotificationFault(
  tools: Pick<Tools, 'db' | 'environment'>,
  merchant_account_id: string,
  facts: SendingFacts,
): Promise<SendingFault | undefined> {
  if (tools.environment === 'production') return undefined;
  const fault = await takeFault(tools.db.tenant(merchant_account_id), facts);
  return SENDING_FAULTS.find((name) => name === fault);
}

type FaultRequest = { readonly fault: string; readonly times?: number; readonly match?: object };

const MOST = 1_000;

export async function armSending(tools: Tools, request: RouteRequest<Account, FaultRequest, unknown>): Promise<Answer> {
  const { caller, body } = request;
  const db = tools.db.tenant(caller.merchant_account_id);
  const { fault, times = 1, match = {} } = body;
  const key = keyOf(request, `POST ${request.path}`);
  if ((await findFaults(db)).length >= MOST)
    throw new Refusal('rate_limited', {
      detail: 'too many scenarios are armed: remove them with DELETE /sandbox/scenario',
    });
  const id = tools.chance.id();
  if (await armFault(db, { id, fault, times, match: JSON.stringify(match), key }))
    return {
      body: { result: result('request_completed'), scenario: viewed({ id, fault, times, remaining: times, match }) },
    };
  const before = repeatOf(await findUsedKey(db, key), key);
  if (!before) throw new Error('a key that could not be taken is there');
  // it may have been removed since
  const remaining = await findRemaining(db, before.object_id);
  const armed = remaining === undefined ? id : before.object_id;
  const scenario = viewed({ id: armed, fault, times, remaining: remaining ?? 0, match });
  return replayed({ body: { result: result('request_completed'), scenario } });
}

type Keyed = Pick<RouteRequest<Account, FaultRequest, unknown>, 'caller' | 'idempotency_key' | 'path' | 'canonical'>;

/** Did this Idempotency-Key arm a fault of our own sending? */
export async function isKeyOfSending(tools: Tools, request: Keyed): Promise<boolean> {
  const db = tools.db.tenant(request.caller.merchant_account_id);
  return (await findUsedKey(db, keyOf(request, `POST ${request.path}`))) !== undefined;
}

/** Oldest first, as scenarios of the provider are listed. */
export async function listSending(
  tools: Tools,
  merchant_account_id: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await findFaults(tools.db.tenant(merchant_account_id));
  return rows.map((row) => ({ ...row, operation: 'notification' }));
}

export async function clearSending(tools: Tools, merchant_account_id: string): Promise<void> {
  await dropFaults(tools.db.tenant(merchant_account_id));
}

function viewed({ id, ...rest }: SendingFaultRow): object {
  return { _id: id, operation: 'notification', ...rest };
}
