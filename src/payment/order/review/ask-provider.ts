// Asks the provider about what it contradicted (contract 14.2). Where its own books say the same, and the counters
// allow it, that is the proof; where they say what is held here, two words of the provider stand against each other,
// and a person must look.
import type { Provider } from '../../../provider/contract.ts';
import type { Tools } from '../../tools.ts';
import { judge } from '../decide/ended.ts';
import { type OperationFacts, type OrderFacts, providerNameOf } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { noteSeen } from '../engine/record.ts';
import { inquire } from '../engine/inquire.ts';
import { contradictionOf, endAs } from './end-contradiction.ts';
import { type ClaimedContradiction, askContradictionIn, claimContradictions } from '../engine/contradiction-store.ts';

/** Longer than an inquiry takes. */
const LEASE_S = 20;
const LATER_S = 3600;

/** Takes those that are due and asks about each; answers how many there were. */
export async function askAboutContradictions(tools: Tools, room: number): Promise<number> {
  const claimed = await claimContradictions(tools.db.looks, { room, lease_s: LEASE_S });
  await Promise.all(
    claimed.map((one) =>
      ask(tools, one).catch((error: unknown) =>
        tools.log.error(
          { order_id: one.order_id, operation_id: one.operation_id, error: String(error) },
          'a contradiction is asked about again later',
        ),
      ),
    ),
  );
  return claimed.length;
}

async function ask(tools: Tools, claimed: ClaimedContradiction): Promise<void> {
  const { merchant_account_id, order_id, operation_id, tries } = claimed;
  const db = tools.db.tenant(merchant_account_id);
  const order = await findOrder(db, order_id);
  const operation = order?.operations.find(({ id }) => id === operation_id);
  if (!order || !operation || !contradictionOf(order, operation_id)) return;
  const provider = tools.providers.get(providerNameOf(order, operation));
  if (provider?.can.inquiry && (await isProved(tools, order, { operation, provider }))) return;
  // what was on its way when it was said has arrived by then
  const retry_s = tries === 1 ? (provider?.can.in_flight_s ?? 0) + 1 : LATER_S;
  await askContradictionIn(db, { order_id, operation_id, retry_s });
}

type Asking = { readonly operation: OperationFacts; readonly provider: Provider };

/** True: the provider's books say what its news said, and it is booked. */
async function isProved(tools: Tools, order: OrderFacts, asking: Asking): Promise<boolean> {
  const { operation } = asking;
  const heard = await inquire(tools, { ...asking, order });
  const observation = { ...heard, source: 'inquiry' } as const;
  const { news, meaning } = judge(order, operation, heard.outcome);
  const same = (meaning === 'contradicts' || meaning === 'take_back') && news !== 'differs';
  if (same) {
    const ended = await endAs(tools, order, { operation, right: 'theirs', observation, by_person: false });
    if (ended) return true;
  }
  await noteSeen(tools.db.tenant(order.merchant_account_id), order, { operation, observation });
  return false;
}
